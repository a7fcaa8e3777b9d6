import { createWriteStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { auditFile } from '../audit-file';
import { journalsOf } from '../bookings';
import { journalCsv } from '../journal-csv';
import { madeUpBooks, SELLER } from './made-up-books';
import { booksInMemory } from './books-in-memory';

const YEAR = { from: '2026-01-01', to: '2026-12-31' };

/** Writes the audit files and the lines of a made-up year to the folder that `SAMPLES` names. */
export async function run(): Promise<void> {
  const folder = process.env['SAMPLES'] ?? 'dist/sheets';
  mkdirSync(folder, { recursive: true });
  const books = booksInMemory([...madeUpBooks({ organizationId: 'sample', documents: 1_000 })], YEAR);
  const journals = journalsOf(books, 'sample', YEAR, new Date());
  const head = { ...YEAR, seller: SELLER, createdOn: '2027-01-15' };
  const counted = (): void => undefined;
  const write = (name: string, content: AsyncIterable<string>): Promise<void> =>
    pipeline(Readable.from(content), createWriteStream(join(folder, name)));
  for (const version of ['3.2', '4.0'] as const)
    await write(`year-${version}.xaf`, auditFile(version, head, journals, counted));
  await write('year.csv', journalCsv(journals, counted));
  console.log(`audit files of a made-up year in ${folder}`);
}

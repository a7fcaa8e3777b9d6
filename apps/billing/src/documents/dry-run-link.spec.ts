import { randomBytes } from 'node:crypto';
import { dryRunLinks, type DryRunDocument } from './dry-run-link';
import { dutchInvoice, sampleInvoice } from './testing/sample-invoices';

const start = Date.parse('2026-11-25T10:00:00Z');
const documentOf = ({ id: _id, style: { logo: _, ...style }, ...invoice }: typeof dutchInvoice): DryRunDocument => ({
  ...invoice,
  _id,
  style: { ...style, logoId: null },
  delivery: { email: true, post: false },
  checkoutId: null,
  createdAt: new Date(start),
  creditedLines: [],
  creditOrdinal: null,
});
const document = documentOf(dutchInvoice);

test('an address opens in every replica that has the secret, for ten minutes, and to exactly what was sealed', () => {
  let now = start;
  const { token, expiresAt } = dryRunLinks('secret', () => now).seal(document);
  const other = dryRunLinks('secret', () => now);
  expect(expiresAt).toEqual(new Date(start + 600_000));
  expect(other.open(token!)).toEqual(document);
  expect(dryRunLinks('another secret', () => now).open(token!)).toBeUndefined();
  now = expiresAt.getTime() - 1;
  expect(other.open(token!)).toEqual(document);
  now = expiresAt.getTime();
  expect(other.open(token!)).toBeUndefined();
});

test('what was made up, changed or cut off opens nothing, and an address says nothing of its document', () => {
  const { seal, open } = dryRunLinks('secret', () => start);
  const token = seal(document).token!;
  expect(token).toMatch(/^[\w-]+$/);
  expect(Buffer.from(token, 'base64url').includes(document.buyer.name)).toBe(false);
  for (const made of [
    '',
    'x',
    token.slice(0, -4),
    `${token.slice(0, -1)}${token.endsWith('A') ? 'E' : 'A'}`,
    'A'.repeat(9_000),
  ])
    expect(open(made)).toBeUndefined();
  for (let at = 0; at < token.length; at += 7)
    expect(open(token.slice(0, at) + (token[at] === 'x' ? 'y' : 'x') + token.slice(at + 1))).toBeUndefined();
});

test('a hundred lines fit into an address; what does not fit has none', () => {
  const { seal } = dryRunLinks('secret', () => start);
  const of = (count: number, note = '') => {
    const lines = Array.from({ length: count }, (_, at) => ({
      description: `Advies en begeleiding, sessie ${at + 1} in week ${(at * 7) % 52}${note && randomBytes(100).toString('hex')}`,
      unitPriceCents: 1_000 + ((at * 7_919) % 50_000),
    }));
    return seal(documentOf(sampleInvoice(lines))).token?.length;
  };
  expect(of(100)).toBeLessThan(7_500);
  expect(of(100, 'unlike any other')).toBeUndefined();
});

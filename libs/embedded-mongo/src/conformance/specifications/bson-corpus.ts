import { deserialize, serialize } from 'bson';
import { type MongoClient } from 'mongodb';
import { readDocument } from '../../bson/read-document';
import { writeDocument } from '../../bson/write-document';
import { type Verdict } from './test-file';

interface Corpus {
  valid?: { description: string; canonical_bson: string; degenerate_bson?: string }[];
  decodeErrors?: { description: string; bson: string }[];
  parseErrors?: { description: string }[];
}

type Outcome = Pick<Verdict, 'result' | 'reason'>;

const passed: Outcome = { result: 'passed' };
const failed = (reason: string): Outcome => ({ result: 'failed', reason });

/**
 * The BSON corpus against a server: what is valid comes back from a collection byte for byte, after an insert and an update
 * of another field. On the embedded store also the store's own codec: what it decodes, and what it refuses to.
 */
export async function runBsonCorpus(
  client: MongoClient,
  embedded: boolean,
  name: string,
  text: string,
): Promise<Verdict[]> {
  const { valid = [], decodeErrors = [], parseErrors = [] } = JSON.parse(text) as Corpus;
  const collection = client.db('bson_corpus').collection<{ _id: number }>(name, { raw: true });
  await collection.drop();
  const verdicts: Verdict[] = [];
  const add = (description: string, outcome: Outcome): void => {
    verdicts.push({ suite: 'BSON corpus', name: `${name}: ${description}`, ...outcome });
  };
  for (const [id, { description, canonical_bson, degenerate_bson }] of valid.entries()) {
    const bytes = Buffer.from(canonical_bson, 'hex');
    add(description, await roundTrip(id, bytes).catch((error: Error) => failed(`${error.name}: ${error.message}`)));
    if (!embedded) continue;
    add(`${description} (codec)`, recoded(bytes, bytes));
    if (degenerate_bson) add(`${description} (degenerate)`, recoded(Buffer.from(degenerate_bson, 'hex'), bytes));
  }
  if (embedded) for (const { description, bson } of decodeErrors) add(`${description} (refused)`, refused(bson));
  const reason = 'extended JSON and the text of decimals are read by the driver';
  for (const { description } of parseErrors) add(description, { result: 'skipped', reason });
  await collection.drop();
  return verdicts;

  async function roundTrip(_id: number, bytes: Buffer): Promise<Outcome> {
    const options = { promoteValues: false, promoteBuffers: false, bsonRegExp: true };
    const value = deserialize(bytes, options);
    if (!bytes.equals(serialize(value, { ignoreUndefined: false })))
      return { result: 'skipped', reason: 'the driver cannot send this value as it is' };
    await collection.insertOne({ _id, value } as { _id: number });
    await collection.updateOne({ _id }, { $set: { touched: true } });
    const raw = (await collection.findOne({ _id }, { projection: { _id: 0, value: 1 } })) as unknown as Buffer;
    const found = Buffer.from(raw).subarray(int32Bytes + 1 + 'value\0'.length, -1);
    return found.equals(bytes) ? passed : failed(`${found.toString('hex')} came back of ${bytes.toString('hex')}`);
  }
}

const int32Bytes = 4;

function recoded(bytes: Buffer, canonical: Buffer): Outcome {
  try {
    const again = writeDocument(readDocument(bytes));
    return again.equals(canonical) ? passed : failed(`${again.toString('hex')} is not ${canonical.toString('hex')}`);
  } catch (error) {
    return failed((error as Error).message);
  }
}

function refused(hex: string): Outcome {
  try {
    readDocument(Buffer.from(hex, 'hex'));
  } catch {
    return passed; // as it must be
  }
  return failed('it was decoded');
}

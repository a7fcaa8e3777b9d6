import { connectMongo } from '@invoicing/mongo';

const DATABASES = ['billing', 'catalog', 'checkout', 'notification', 'application', 'gateway'];

/** What reading the whole store came to. */
export interface VerifiedStore {
  readonly valid: boolean;
  readonly documents: number;
  /** `database.collection`, with what is wrong with it; those that are whole are only counted. */
  readonly collections: number;
  readonly damaged: readonly { readonly name: string; readonly errors: readonly string[] }[];
  /** What is no damage and worth knowing. */
  readonly warnings: readonly string[];
}

interface Validated {
  readonly valid: boolean;
  readonly nrecords: number;
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

/**
 * Has the store hold every document against its checksum and every index against the documents (`validate` of each collection). The
 * store serves on meanwhile. A collection that cannot be read to its end is damaged, too.
 */
export async function verifyStore(uri: string): Promise<VerifiedStore> {
  const damaged: { name: string; errors: readonly string[] }[] = [];
  const warnings: string[] = [];
  let [documents, collections] = [0, 0];
  for (const database of DATABASES) {
    const connection = await connectMongo({ uri, database });
    try {
      for (const { name } of await connection.db!.listCollections({}, { nameOnly: true }).toArray()) {
        const found = await connection.db!.command({ validate: name, full: true }).then(
          (answer) => answer as unknown as Validated,
          (error: Error): Validated => ({ valid: false, nrecords: 0, errors: [error.message], warnings: [] }),
        );
        collections++;
        documents += found.nrecords;
        if (!found.valid) damaged.push({ name: `${database}.${name}`, errors: found.errors });
        warnings.push(...found.warnings.map((each) => `${database}.${name}: ${each}`));
      }
    } finally {
      await connection.close();
    }
  }
  return { valid: damaged.length === 0, documents, collections, damaged, warnings };
}

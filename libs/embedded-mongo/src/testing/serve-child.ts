import { startEmbeddedMongo } from '../index';

/** A process of its own for tests that kill it: `node serve-child.js <folder>`; tells its parent the address and how long opening took. */
async function main(folder: string): Promise<void> {
  const started = performance.now();
  try {
    const { uri } = await startEmbeddedMongo({ folder });
    process.send!({ uri, openMs: performance.now() - started });
  } catch (error) {
    process.send!({ error: (error as Error).message });
  }
  process.on('disconnect', () => process.exit());
}

void main(process.argv[2]!);

import { type KeyStore } from './key-store';

const WRITE_EVERY_MS = 5_000;

/** Remembers when keys were used and writes it now and then, all keys together. */
export function trackLastUse(store: Pick<KeyStore, 'markUsed'>, onError: (error: unknown) => void) {
  let uses = new Map<string, Date>();
  const write = async (): Promise<void> => {
    const taken = uses;
    uses = new Map();
    try {
      await store.markUsed(taken);
    } catch (error) {
      onError(error);
    }
  };
  const timer = setInterval(() => void write(), WRITE_EVERY_MS).unref();
  return {
    used: (keyId: string): void => void uses.set(keyId, new Date()),
    close: async (): Promise<void> => {
      clearInterval(timer);
      await write();
    },
  };
}

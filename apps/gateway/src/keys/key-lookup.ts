import { timingSafeEqual } from 'node:crypto';
import { batched, FreshCache } from '@invoicing/concurrency';
import { type KeyRecord, type KeyStore } from './key-store';

/**
 * A revocation must work everywhere within 2 s: no answer older than 1.5 s is used. Keys in use are looked up again in the
 * background every half second, so a warm request never waits for the store.
 */
const AGE = { freshMs: 500, usableMs: 1_500 };
const BATCH = 500;

/** Finds keys by their hash. However many are asked for at once, the store gets one query at a time: a flood costs it little. */
export class KeyLookup {
  private readonly cache: FreshCache<KeyRecord | undefined>;

  constructor(store: Pick<KeyStore, 'findByHashes'>) {
    const load = batched({ limit: BATCH }, async (hashes: readonly string[]) => {
      const found = await store.findByHashes([...new Set(hashes)]);
      return hashes.map((hash) => found.find((key) => sameHash(key.hash, hash)));
    });
    this.cache = new FreshCache(load, AGE);
  }

  find(hash: string): KeyRecord | undefined | Promise<KeyRecord | undefined> {
    return this.cache.get(hash);
  }

  forget(hash: string): void {
    this.cache.forget(hash);
  }
}

const sameHash = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

import { timingSafeEqual } from 'node:crypto';
import { FreshCache } from '../fresh-cache';
import { type KeyRecord, type KeyStore } from './key-store';

/**
 * A revocation must work everywhere within 2 s: no answer older than 1.5 s is used. Keys in use are looked up again in the
 * background every half second, so a warm request never waits for the store.
 */
const AGE = { freshMs: 500, usableMs: 1_500 };
const BATCH = 500;

type Waiting = { hash: string; resolve: (key: KeyRecord | undefined) => void; reject: (error: unknown) => void };

/** Finds keys by their hash. However many are asked for at once, the store gets one query at a time: a flood costs it little. */
export class KeyLookup {
  private readonly cache = new FreshCache<KeyRecord | undefined>((hash) => this.load(hash), AGE);
  private waiting: Waiting[] = [];
  private running = false;

  constructor(private readonly store: Pick<KeyStore, 'findByHashes'>) {}

  find(hash: string): KeyRecord | undefined | Promise<KeyRecord | undefined> {
    return this.cache.get(hash);
  }

  forget(hash: string): void {
    this.cache.forget(hash);
  }

  private load(hash: string): Promise<KeyRecord | undefined> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ hash, resolve, reject });
      if (!this.running) void this.drain();
    });
  }

  private async drain(): Promise<void> {
    this.running = true;
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, BATCH);
      try {
        const found = await this.store.findByHashes([...new Set(batch.map(({ hash }) => hash))]);
        for (const { hash, resolve } of batch) resolve(found.find((key) => sameHash(key.hash, hash)));
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.running = false;
  }
}

const sameHash = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

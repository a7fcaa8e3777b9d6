import { LRUCache } from 'lru-cache';

/** How old an answer may be. All in milliseconds. */
export interface Freshness {
  /** Up to this age it is simply answered. */
  readonly freshMs: number;
  /** Up to this age it is answered while a newer one is fetched; an older one is waited for. */
  readonly usableMs: number;
  /** When the source fails, an answer up to this age is better than none. */
  readonly onFailureMs?: number;
}

interface Entry<V> {
  value: V | undefined;
  /** When the load that gave `value` began; -Infinity before the first. */
  since: number;
  loading: Promise<V> | undefined;
}

const MAX_ENTRIES = 10_000;

/**
 * Remembers answers of a source for a short while. One load a key at a time; a key that is fresh or usable never waits. Bounded: the
 * key that was used longest ago leaves first. What the source needs beside the key travels with `get`.
 * (lru-cache's own `fetchMethod` bounds no stale answer by its age, and keeps what was on its way when its key was forgotten.)
 */
export class FreshCache<V, C = undefined> {
  private readonly entries: LRUCache<string, Entry<V>>;

  constructor(
    private readonly load: (key: string, context: C) => Promise<V>,
    private readonly age: Freshness,
    max = MAX_ENTRIES,
    private readonly now: () => number = Date.now,
  ) {
    this.entries = new LRUCache({ max });
  }

  get(key: string, ...[context]: C extends undefined ? [] : [context: C]): V | Promise<V> {
    const entry = this.entries.get(key) ?? this.add(key);
    const age = this.now() - entry.since;
    if (age < this.age.freshMs) return entry.value as V;
    const loading = entry.loading ?? this.refresh(key, context as C, entry);
    if (age >= this.age.usableMs) return loading;
    // This caller does not wait, so a failure is not its own: it comes out when the answer is too old to be used.
    loading.catch(() => undefined);
    return entry.value as V;
  }

  /** The next `get` asks the source, whatever is on its way. */
  forget(key: string): void {
    this.entries.delete(key);
  }

  private add(key: string): Entry<V> {
    const entry: Entry<V> = { value: undefined, since: -Infinity, loading: undefined };
    this.entries.set(key, entry);
    return entry;
  }

  private refresh(key: string, context: C, entry: Entry<V>): Promise<V> {
    const begun = this.now();
    entry.loading = this.load(key, context)
      .then(
        (value) => {
          entry.value = value;
          entry.since = begun;
          return value;
        },
        (error: unknown) => {
          if (begun - entry.since < (this.age.onFailureMs ?? 0)) return entry.value as V;
          throw error;
        },
      )
      .finally(() => (entry.loading = undefined));
    return entry.loading;
  }
}

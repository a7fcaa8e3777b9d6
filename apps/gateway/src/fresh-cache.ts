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

/**
 * Remembers answers of a source for a short while. One load per key at a time; a warm key never waits.
 * Bounded: the key that was added first leaves first.
 */
export class FreshCache<V> {
  private readonly entries = new Map<string, Entry<V>>();

  constructor(
    private readonly load: (key: string) => Promise<V>,
    private readonly age: Freshness,
    private readonly maxEntries = 10_000,
    private readonly now: () => number = Date.now,
  ) {}

  get(key: string): V | Promise<V> {
    const entry = this.entries.get(key) ?? this.add(key);
    const age = this.now() - entry.since;
    if (age < this.age.freshMs) return entry.value as V;
    const loading = entry.loading ?? this.refresh(key, entry);
    if (age >= this.age.usableMs) return loading;
    // This caller does not wait, so a failure is not its own: it comes out when the answer is too old to be used.
    loading.catch(() => undefined);
    return entry.value as V;
  }

  /** The next `get` asks the source. */
  forget(key: string): void {
    this.entries.delete(key);
  }

  private add(key: string): Entry<V> {
    const entry: Entry<V> = { value: undefined, since: -Infinity, loading: undefined };
    if (this.entries.size >= this.maxEntries) {
      const [oldest] = this.entries.keys();
      this.entries.delete(oldest as string);
    }
    this.entries.set(key, entry);
    return entry;
  }

  private refresh(key: string, entry: Entry<V>): Promise<V> {
    const begun = this.now();
    entry.loading = this.load(key)
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

const DUPLICATE_KEY = 11000;

/** Whether a write failed because a unique index already holds the key; `index` narrows it to one key pattern, e.g. `_id`. */
export function isDuplicateKey(error: unknown, index?: string): boolean {
  const { code, keyPattern } = (error ?? {}) as { code?: unknown; keyPattern?: Record<string, unknown> };
  return code === DUPLICATE_KEY && (index === undefined || keyPattern === undefined || index in keyPattern);
}

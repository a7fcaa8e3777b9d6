const DUPLICATE_KEY = 11000;
const VALIDATION_FAILED = 121;

/** Whether the server refused with this code. */
export const hasCode = (error: unknown, code: number): boolean => ((error ?? {}) as { code?: unknown }).code === code;

/** Whether a write failed because a unique index already holds the key; `index` narrows it to one key pattern, e.g. `_id`. */
export function isDuplicateKey(error: unknown, index?: string): boolean {
  const { keyPattern } = (error ?? {}) as { keyPattern?: Record<string, unknown> };
  return hasCode(error, DUPLICATE_KEY) && (index === undefined || keyPattern === undefined || index in keyPattern);
}

/** Whether the collection's validator refused the document. */
export const isRefusedByValidator = (error: unknown): boolean => hasCode(error, VALIDATION_FAILED);

import { hash } from 'node:crypto';

/** Method, path and body of a request as one hash; the order of a body's fields and its white space do not matter. */
export const fingerprintOf = (method: string, path: string, body: unknown): string =>
  hash('sha256', `${method} ${path}\n${canonicalJson(body)}`, 'hex');

/** JSON with sorted names and no white space (as RFC 8785 for what our schemas let through). */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
    return `{${fields.map(([name, each]) => `${JSON.stringify(name)}:${canonicalJson(each)}`).join(',')}}`;
  }
  return JSON.stringify(value);
}

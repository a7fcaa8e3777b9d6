import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';

/** Method, path and body of a request as one hash; the order of a body's fields and its white space do not matter (RFC 8785). */
export const fingerprintOf = (method: string, path: string, body: unknown): string =>
  hash('sha256', `${method} ${path}\n${canonicalize(body)}`, 'hex');

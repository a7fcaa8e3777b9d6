import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits, as they stand in links and cookies. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** What is stored of a token or a code: SHA-256, in hex. Whoever reads the store cannot sign in with it. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

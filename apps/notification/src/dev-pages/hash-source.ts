import { createHash } from 'node:crypto';

/** The source expression by which a Content-Security-Policy allows exactly this inline style or script. */
export const hashSource = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

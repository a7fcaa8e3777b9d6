import { keptMs } from '@invoicing/rules';

/** Somebody who is signed in, in one browser. */
export interface Session {
  /** SHA-256 of the token in the cookie, in hex. */
  readonly _id: string;
  /** UUID: names the session in lists, and signs nobody in. */
  readonly id: string;
  readonly userId: string;
  /** Browser and system, as far as the browser says; at most `MAX_DEVICE` characters. */
  readonly device: string;
  readonly createdAt: Date;
  /** To within `SEEN_MS`. */
  readonly lastSeenAt: Date;
  readonly expiresAt: Date;
}

/** A session ends so long after it began, whatever is done in it. */
export const SESSION_MS = keptMs('appSessions');
/** And so long after it was last used. */
export const IDLE_MS = 7 * 86_400_000;
/** How exactly the last use is kept: not every page is a write. */
const SEEN_MS = 5 * 60_000;
const MAX_DEVICE = 100;

const BROWSERS: readonly [RegExp, string][] = [
  [/\bEdg\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\//, 'Firefox'],
  [/\bChrome\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const SYSTEMS: readonly [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

/** `Chrome, Windows`, or the first word of what the browser says. */
export function deviceOf(userAgent: string): string {
  const name = (of: readonly [RegExp, string][]): string[] => {
    const found = of.find(([pattern]) => pattern.test(userAgent));
    return found ? [found[1]] : [];
  };
  const words = [...name(BROWSERS), ...name(SYSTEMS)];
  return (words.join(', ') || userAgent.split(/[\s/]/)[0] || '').slice(0, MAX_DEVICE);
}

export const isAlive = ({ expiresAt, lastSeenAt }: Session, now: Date): boolean =>
  expiresAt > now && now.getTime() - lastSeenAt.getTime() < IDLE_MS;

export const isSeenLongAgo = ({ lastSeenAt }: Session, now: Date): boolean =>
  now.getTime() - lastSeenAt.getTime() >= SEEN_MS;

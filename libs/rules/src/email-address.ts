/** Most characters of an e-mail address (RFC 5321, 4.5.3.1.3, less the angle brackets). */
export const MAX_EMAIL_ADDRESS = 254;

const MAX_LOCAL_PART = 64;
// A dot-atom (RFC 5322, with UTF-8 as in RFC 6531) at a domain of two labels or more (RFC 1035), of which the last is no number.
// No quotes, comments, address literals or control characters: mail servers refuse them, and lists of recipients are made of them.
const ATOM = "[\\p{L}\\p{M}\\p{N}!#$%&'*+/=?^_`{|}~-]+";
const LABEL = '[\\p{L}\\p{N}](?:[\\p{L}\\p{M}\\p{N}-]{0,61}[\\p{L}\\p{M}\\p{N}])?';
const ADDRESS = new RegExp(`^(${ATOM}(?:\\.${ATOM})*)@(?:${LABEL}\\.)+(?!\\p{N}+$)${LABEL}$`, 'u');

/** Whether a text is one plain e-mail address and nothing else: what passes here a mail server takes. */
export function isEmailAddress(text: string): boolean {
  if (text.length > MAX_EMAIL_ADDRESS) return false;
  const [, localPart] = ADDRESS.exec(text) ?? [];
  return localPart !== undefined && localPart.length <= MAX_LOCAL_PART;
}

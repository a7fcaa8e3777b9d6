const LIMIT = 254;
// What SMTP servers accept in practice: dot-atom (with UTF-8) @ a domain of labels. No quotes, comments, routes or control characters.
const ATOM = "[\\p{L}\\p{N}!#$%&'*+/=?^_`{|}~-]+";
const LABEL = '[\\p{L}\\p{N}](?:[\\p{L}\\p{N}-]{0,61}[\\p{L}\\p{N}])?';
const ADDRESS = new RegExp(`^${ATOM}(?:\\.${ATOM})*@${LABEL}(?:\\.${LABEL})*$`, 'u');

/** Whether `text` is one plain address and nothing else. */
export const isMailAddress = (text: string): boolean => text.length <= LIMIT && ADDRESS.test(text);

/** `Name <address>` or `address`, as MAIL_FROM gives it. Undefined when it is neither. */
export function parseMailFrom(text: string): { name: string; address: string } | undefined {
  const [, name = '', address = ''] = /^\s*(?:"?([^"<>]*?)"?\s*<([^<>]+)>)\s*$/.exec(text) ?? [, '', text.trim()];
  return isMailAddress(address) ? { name, address } : undefined;
}

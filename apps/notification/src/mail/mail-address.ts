import { isEmailAddress } from '@invoicing/rules';

/** `Name <address>` or `address`, as MAIL_FROM gives it. Undefined when it is neither. */
export function parseMailFrom(text: string): { name: string; address: string } | undefined {
  const [, name = '', address = ''] = /^\s*(?:"?([^"<>]*?)"?\s*<([^<>]+)>)\s*$/.exec(text) ?? [, '', text.trim()];
  // Unlike a recipient, an operator's own host may have a name of one label: invoices@localhost.
  return isEmailAddress(address) || isEmailAddress(`${address}.localdomain`) ? { name, address } : undefined;
}

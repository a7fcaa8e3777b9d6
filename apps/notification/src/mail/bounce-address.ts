/** The address that a message comes back to, which names it (VERP): `bounces+<id>@example.com`. */
export function bounceAddressOf(address: string, mailId: string): string {
  const at = address.lastIndexOf('@');
  return `${address.slice(0, at)}+${mailId}${address.slice(at)}`;
}

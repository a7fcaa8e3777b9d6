import type { ConnectionOptions } from 'nats';

/**
 * NATS_URL as the client wants it: one or several addresses, comma separated, with credentials and encryption as addresses have them,
 * `tls://user:password@host:4222`. The client itself overlooks both. The first address speaks for all.
 */
export function brokerOptions(
  url: string,
): Pick<ConnectionOptions, 'servers' | 'user' | 'pass' | 'tls' | 'inboxPrefix'> {
  const addresses = url.split(',').map((each) => new URL(each.includes('://') ? each.trim() : `nats://${each.trim()}`));
  const [first] = addresses;
  const user = decodeURIComponent(first?.username ?? '');
  return {
    servers: addresses.map(({ host }) => host),
    // Answers come to an inbox of the user's own, so that the broker can keep users out of each other's.
    ...(user && { user, pass: decodeURIComponent(first!.password), inboxPrefix: `_INBOX.${user}` }),
    ...(first?.protocol === 'tls:' && { tls: {} }),
  };
}

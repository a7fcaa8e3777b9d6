import type { ConnectionOptions } from 'nats';

/**
 * NATS_URL as the client wants it: one or several addresses, comma separated, with credentials and encryption as addresses have them,
 * `tls://user:password@host:4222`. The client itself overlooks both. The first address speaks for all.
 */
export function brokerOptions(url: string): Pick<ConnectionOptions, 'servers' | 'user' | 'pass' | 'tls'> {
  const addresses = url.split(',').map((each) => new URL(each.includes('://') ? each.trim() : `nats://${each.trim()}`));
  const [first] = addresses;
  return {
    servers: addresses.map(({ host }) => host),
    ...(first?.username && { user: decodeURIComponent(first.username), pass: decodeURIComponent(first.password) }),
    ...(first?.protocol === 'tls:' && { tls: {} }),
  };
}

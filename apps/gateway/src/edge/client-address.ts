import ipaddr from 'ipaddr.js';
import { type Request } from 'express';

const NETWORK_PARTS = 4;

/** The address that a request comes from: that of its connection, or the one that a trusted proxy forwards (`TRUSTED_PROXIES`). */
export function clientIp(request: Request): string {
  // `request.ip` goes by `X-Forwarded-For` as far as it may be believed; even a trusted proxy may pass on what is no address.
  const { ip } = request;
  return ip !== undefined && ipaddr.isValid(ip) ? ip : (request.socket.remoteAddress ?? '');
}

/** Who a request is counted against: the IPv4 address, or of IPv6 the /64, which is the least that one subscriber has (RFC 6177). */
export function clientAddress(request: Request): string {
  const ip = clientIp(request);
  return ip === '' ? ip : countedAddress(ip);
}

/** How clients are counted by an IP address. */
export function countedAddress(ip: string): string {
  // `::ffff:192.0.2.1` is the IPv4 address in it.
  const address = ipaddr.process(ip);
  if (address instanceof ipaddr.IPv4) return address.toString();
  const network = address.parts.slice(0, NETWORK_PARTS).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}

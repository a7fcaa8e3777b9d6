import ipaddr from 'ipaddr.js';

const URL_LIMIT = 2_048;
// Global unicast is all of IPv6 that is given out; https://www.iana.org/assignments/ipv6-address-space
const GLOBAL_UNICAST: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];
// Public by number, but answers only to machines of that cloud: Azure's host, Oracle's metadata.
const CLOUD_INTERNAL = ['168.63.129.16', '192.0.0.192'];

/** What is wrong with `url` as a target, as a sentence; undefined = nothing. Names are resolved and checked when connecting. */
export function targetFault(url: string, allowLoopback: boolean): string | undefined {
  if (url.length > URL_LIMIT) return `must be at most ${URL_LIMIT} characters`;
  let target: URL;
  try {
    // Also turns decimal, octal, hexadecimal and shortened hosts into plain addresses.
    target = new URL(url);
  } catch {
    return 'must be an absolute URL';
  }
  if (target.username !== '' || target.password !== '') return 'must not carry a user name or password';
  const loopback = isLoopbackHost(target.hostname);
  if (target.protocol !== 'https:' && !(target.protocol === 'http:' && loopback && allowLoopback)) {
    return allowLoopback
      ? 'must begin with https:// (or http://127.0.0.1 for this machine)'
      : 'must begin with https://';
  }
  const address = literalAddress(target.hostname);
  const allowed = address === undefined ? !loopback || allowLoopback : isAllowedAddress(address, allowLoopback);
  return allowed ? undefined : 'must lead to a public address';
}

/** Whether we may connect to an IP address: public ones only, and loopback when the operator says so. */
export function isAllowedAddress(address: string, allowLoopback: boolean): boolean {
  // A zone (`%eth0`) only makes sense on a local link.
  if (!ipaddr.isValid(address) || address.includes('%')) return false;
  const parsed = ipaddr.parse(address);
  const range = parsed.range();
  if (range === 'loopback') return allowLoopback;
  if (range !== 'unicast' || CLOUD_INTERNAL.includes(address)) return false;
  // Refuses what hides an IPv4 address (mapped, compatible, translated) and what is not given out.
  return parsed.kind() === 'ipv4' || (parsed as ipaddr.IPv6).match(GLOBAL_UNICAST);
}

/** The IP address that a URL's host is, if it is one and not a name. */
function literalAddress(hostname: string): string | undefined {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return ipaddr.isValid(bare) ? bare : undefined;
}

function isLoopbackHost(hostname: string): boolean {
  const address = literalAddress(hostname);
  if (address !== undefined) return ipaddr.parse(address).range() === 'loopback';
  const name = hostname.replace(/\.$/, '');
  return name === 'localhost' || name.endsWith('.localhost');
}

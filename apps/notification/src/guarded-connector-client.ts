import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { buildConnector } from 'undici';
import { isAllowedAddress } from '@invoicing/rules';

export interface GuardOptions {
  readonly allowLoopback: boolean;
  readonly connectTimeoutMs: number;
  /** Resolves names; the system's unless a test has its own. */
  readonly lookup?: typeof systemLookup | undefined;
  /** Trusts this authority, PEM; unset: the system's. */
  readonly ca?: string | undefined;
}

/** The name leads to an address that we do not connect to. */
class ForbiddenTargetError extends Error {
  readonly code = 'FORBIDDEN_TARGET';
}

/**
 * Opens connections to allowed addresses only. The very addresses that were checked are connected to, so a name that resolves to
 * something else a moment later gains nothing; one forbidden address among several refuses them all.
 */
export function guardedConnector(build: typeof buildConnector, options: GuardOptions): buildConnector.connector {
  const connect = build({
    timeout: options.connectTimeoutMs,
    lookup: guardedLookup(options),
    autoSelectFamily: true,
    ...(options.ca && { ca: options.ca }),
  });
  return (target, callback) => {
    const { hostname } = target;
    const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
    // Addresses are connected to without a lookup.
    if (isIP(bare) && !isAllowedAddress(bare, options.allowLoopback)) {
      callback(new ForbiddenTargetError(`${bare} is not a public address`), null);
      return;
    }
    connect(target, callback);
  };
}

function guardedLookup({ allowLoopback, lookup = systemLookup }: GuardOptions): LookupFunction {
  return (hostname, lookupOptions, callback) => {
    lookup(hostname, { ...lookupOptions, all: true, verbatim: true }, (error, addresses: LookupAddress[]) => {
      if (error) {
        callback(error, '', 0);
        return;
      }
      const forbidden = addresses.find(({ address }) => !isAllowedAddress(address, allowLoopback));
      const [first] = addresses;
      if (forbidden || !first) {
        const found = forbidden?.address ?? 'nothing';
        callback(new ForbiddenTargetError(`${hostname} leads to ${found}`), '', 0);
      } else if (lookupOptions.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

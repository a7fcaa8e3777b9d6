import { type RequestHandler } from 'express';
import { clientAddress } from '../edge/client-address';
import { AddressLimiter } from '../rate/address-limiter';
import { refusePage } from './refusal-page';

const MAX_UNFINISHED = 64;
const RETRY_UNFINISHED_SECONDS = 5;

/** What one client address may ask of public pages: so many requests a minute, and so many at once that are not finished. */
export function pageGuard(limitPerMinute: number): RequestHandler {
  const limiter = new AddressLimiter(limitPerMinute);
  const unfinished = new Map<string, number>();
  return (request, response, next) => {
    const address = clientAddress(request);
    const waitSeconds = limiter.add(address);
    if (waitSeconds > 0) return refusePage(request, response, 'rate_limited', waitSeconds);
    const count = unfinished.get(address) ?? 0;
    if (count >= MAX_UNFINISHED) return refusePage(request, response, 'rate_limited', RETRY_UNFINISHED_SECONDS);
    unfinished.set(address, count + 1);
    response.once('close', () => {
      const left = (unfinished.get(address) ?? 1) - 1;
      if (left > 0) unfinished.set(address, left);
      else unfinished.delete(address);
    });
    return next();
  };
}

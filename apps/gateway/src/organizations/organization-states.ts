import { type Organization } from '@invoicing/contracts/invoicing/billing/v1/organizations';
import { FreshCache } from '@invoicing/concurrency';
import { AppError } from '@invoicing/errors';
import { newCallContext } from '@invoicing/rpc';
import { EdgeError } from '../edge/edge-error';
import { type Services } from '../service-clients';

// A changed plan works within 2 s. While billing does not answer the last known plan applies for a while: the other services need not stop.
const AGE = { freshMs: 1_000, usableMs: 2_000, onFailureMs: 300_000 };
const TIMEOUT_MS = 1_000;

/** Plans and names of organisations, as billing knows them. */
export function organizationStates({ organizations }: Pick<Services, 'organizations'>) {
  const cache = new FreshCache<Organization | undefined>(async (organizationId) => {
    try {
      return await organizations.getOrganization({ organizationId }, newCallContext(TIMEOUT_MS));
    } catch (error) {
      if (error instanceof AppError && error.kind === 'absent') return undefined;
      throw error;
    }
  }, AGE);
  return async (id: string): Promise<Organization> => {
    const organization = await cache.get(id);
    // Its organisation is gone, so the key is nobody's.
    if (!organization) throw new EdgeError('unauthorized');
    return organization;
  };
}

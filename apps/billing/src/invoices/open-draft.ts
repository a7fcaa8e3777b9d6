import { AppError, notFoundError } from '@invoicing/errors';
import type { Ports } from '../billing-ports';

/** An organisation's open draft, with the organisation. Throws `not_found` or `conflict` (issued, or being issued). */
export async function openDraft(
  ports: Pick<Ports, 'organizations' | 'drafts' | 'invoices'>,
  organizationId: string,
  id: string,
) {
  const [organization, draft] = await Promise.all([
    ports.organizations.find(organizationId),
    ports.drafts.find(organizationId, id),
  ]);
  if (organization && draft) return [organization, draft] as const;
  if (await ports.invoices.find(organizationId, id)) throw issuedAlready();
  throw notFoundError('the draft');
}

/** An issued invoice never changes. */
export const issuedAlready = (): AppError =>
  new AppError('conflict', 'conflict', 'the invoice is issued: it never changes; credit it instead');

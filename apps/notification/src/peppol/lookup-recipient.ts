import type { AccessPoint, AccessPointAccount } from './access-point';
import type { KnownRecipient, RecipientStore } from './recipient-store';

export interface LookupPorts {
  readonly recipients: RecipientStore;
  readonly openAccessPoint: (account: AccessPointAccount) => AccessPoint;
  /** The organisation's time. */
  readonly now: (organizationId: string) => Date;
}

// Who joins the network is to be found soon; who leaves it leaves slowly, and what is sent to them comes back.
const FRESH_MS = { true: 24 * 3_600_000, false: 3_600_000 };

/** Whether the network delivers to a participant, as it said not long ago, or as it says now. Throws what the access point throws. */
export async function lookupRecipient(
  { recipients, openAccessPoint, now }: LookupPorts,
  account: AccessPointAccount,
  participant: string,
  refresh = false,
): Promise<KnownRecipient> {
  const { id, organizationId } = account;
  const known = await recipients.find(organizationId, id, participant);
  const ageMs = known && now(organizationId).getTime() - known.lookedUpAt.getTime();
  if (known && ageMs !== null && !refresh && ageMs < FRESH_MS[`${known.receives}`]) return known;
  const receives = await openAccessPoint(account).receives(participant);
  const found = { participant, receives, lookedUpAt: now(organizationId) };
  await recipients.save(organizationId, id, found);
  return found;
}

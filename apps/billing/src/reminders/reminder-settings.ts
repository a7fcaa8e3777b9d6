import { notFoundError, validationError, type Violation } from '@invoicing/errors';
import { isUuid, textMessage } from '@invoicing/rules';
import { accountInvoice } from '../account/account';
import type { Operation } from '../account/append-entry';
import { dateFault } from '../invoices/business-date';
import { isLanguage } from '@invoicing/design';
import type { ReminderPlan } from './reminder-plan';
import type { ReminderPorts } from './reminder-ports';

const MAX_STEPS = 10;
const MAX_DAYS = 365;
const MAX_RATES = 100;
const MAX_BPS = 10_000;
const TEXT = { max: 2_000, multiline: true };

/** How an organisation, or one of its profiles, reminds from now on. Throws `not_found` or `validation`. */
export async function setReminderPlan(
  ports: ReminderPorts,
  organizationId: string,
  profileId: string | undefined,
  plan: ReminderPlan,
): Promise<void> {
  const organization = await ports.organizations.find(organizationId);
  if (!organization) throw notFoundError('the organisation');
  if (profileId !== undefined && !organization.profiles.some(({ id }) => id === profileId))
    throw notFoundError('the profile');
  const violations = faultsOf(plan, organization.details.countryCode);
  if (violations.length > 0) throw validationError(violations);
  const now = ports.now(organizationId);
  const kept = { ...plan, _id: profileId ?? organizationId, organizationId, dueAt: now };
  await ports.reminderPlans.put({ ...kept, ...(profileId !== undefined && { profileId }) });
}

function faultsOf({ steps, rates }: ReminderPlan, country: string): Violation[] {
  const violations: Violation[] = [];
  const check = (fits: boolean, path: string, message: string): void =>
    void (fits || violations.push({ path, message }));
  check(steps.length > 0 && steps.length <= MAX_STEPS, '/steps', `must be 1 to ${MAX_STEPS}`);
  steps.forEach(({ afterDays, channel, costs, interest, texts }, at) => {
    const path = `/steps/${at}`;
    const before = steps[at - 1]?.afterDays ?? 0;
    check(
      Number.isInteger(afterDays) && afterDays > before && afterDays <= MAX_DAYS,
      `${path}/afterDays`,
      `must rise, from 1 to ${MAX_DAYS}`,
    );
    check(channel === 'email' || channel === 'post', `${path}/channel`, 'must be email or post');
    check(country === 'NL' || (!costs && !interest), path, 'costs and interest are known for the Netherlands only');
    for (const { language, text } of texts) {
      check(isLanguage(language), `${path}/texts`, 'have a language of nl, en, de, fr');
      const fault = text.trim() === '' ? 'is required' : textMessage(text, TEXT);
      if (fault) violations.push({ path: `${path}/texts`, message: fault });
    }
  });
  check(rates.length <= MAX_RATES, '/rates', `must be at most ${MAX_RATES}`);
  rates.forEach(({ kind, from, bps }, at) => {
    check(kind === 'consumer' || kind === 'business', `/rates/${at}/kind`, 'must be consumer or business');
    check(Number.isInteger(bps) && bps >= 0 && bps <= MAX_BPS, `/rates/${at}/bps`, `must be 0 to ${MAX_BPS}`);
    const fault = dateFault(from);
    if (fault) violations.push({ path: `/rates/${at}/from`, message: fault });
  });
  return violations;
}

/** A customer or an invoice is reminded no more, or again. Throws `not_found` or `validation`. */
export async function exceptFromReminders(
  ports: ReminderPorts,
  organizationId: string,
  wanted: {
    readonly customerId?: string | undefined;
    readonly invoiceId?: string | undefined;
    readonly remove: boolean;
    readonly reason: string;
  },
  { by }: Operation,
): Promise<void> {
  const { customerId, invoiceId, remove, reason } = wanted;
  const _id = invoiceId ?? customerId;
  if (_id === undefined || (invoiceId !== undefined && customerId !== undefined))
    throw validationError([{ path: '/invoiceId', message: 'or the customer: one of them' }]);
  if (!isUuid(_id)) throw validationError([{ path: '/customerId', message: 'is not a UUID' }]);
  if (invoiceId !== undefined) await accountInvoice(ports, organizationId, invoiceId);
  if (remove) return ports.reminderExceptions.remove(organizationId, _id);
  const fault = reason.trim() === '' ? 'is required' : textMessage(reason, { max: 500 });
  if (fault) throw validationError([{ path: '/reason', message: fault }]);
  const kind = invoiceId === undefined ? 'customer' : 'invoice';
  await ports.reminderExceptions.put({ _id, organizationId, kind, reason, by, createdAt: ports.now(organizationId) });
}

import { Counter } from '@invoicing/telemetry';
import { MailFailure } from './mail-transport';
import type { MailDays } from './mail-quota-store';
import type { MailDocument } from './mail-store';

/** Lets a message through and answers on which day (YYYY-MM-DD), or throws `mail_quota`. */
export type MailQuota = (mail: Pick<MailDocument, 'organizationId'>, now: Date) => Promise<string>;

const refusals = new Counter({
  name: 'mail_quota_refused_total',
  help: 'E-mails that wait for another day, because their organisation has sent as many as it may today',
});

/** So many messages an organisation and day (UTC). */
export const mailQuota =
  (days: Pick<MailDays, 'take'>, quotaOf: (organizationId: string) => number | Promise<number>): MailQuota =>
  async ({ organizationId }, now) => {
    const day = now.toISOString().slice(0, 10);
    if (await days.take(organizationId, day, await quotaOf(organizationId))) return day;
    refusals.inc();
    throw new MailFailure('mail_quota', false);
  };

const DAY_MS = 86_400_000;
const SPREAD_MS = 3_600_000;

/** Within the first hour of the next day, so that what waited does not come all at once. */
export const nextQuotaDay = (now: Date, random: number): Date =>
  new Date(Math.floor(now.getTime() / DAY_MS + 1) * DAY_MS + random * SPREAD_MS);

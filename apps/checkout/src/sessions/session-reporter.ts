import { Counter, type Logger } from '@invoicing/telemetry';
import { type Report, type Reporter } from './session-ports';

const reports = new Counter({
  name: 'checkout_reports_total',
  help: 'What happened to payment sessions, by kind',
  labelNames: ['report'],
});

/** What nobody may overlook is an error, what mends itself a warning. */
const LEVELS: Record<Report, 'info' | 'warn' | 'error'> = {
  session_paid: 'info',
  session_expired: 'info',
  session_canceled: 'info',
  session_fulfilled: 'info',
  payment_mismatched: 'error',
  surplus_payment: 'warn',
  money_went_back: 'info',
  refund_refused: 'error',
  provider_failed: 'warn',
  brand_unknown: 'warn',
  provider_of_other_mode: 'error',
  fulfilment_delayed: 'warn',
  fulfilment_stuck: 'error',
};

/** Logs and counts. */
export const reporter =
  (log: Logger): Reporter =>
  (what, fields) => {
    reports.inc({ report: what });
    log[LEVELS[what]](fields, what.replaceAll('_', ' '));
  };

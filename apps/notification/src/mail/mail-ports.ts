import type { Logger } from '@invoicing/telemetry';
import type { InvoiceSource } from '../billing-client';
import type { MailQuota } from './mail-quota';
import type { MailStore } from './mail-store';
import type { MailTransport } from './mail-transport';

/** What e-mailing invoices needs. */
export interface InvoiceMailPorts {
  readonly mails: MailStore;
  readonly invoices: InvoiceSource;
  readonly transport: MailTransport;
  /** Of test organisations. */
  readonly testTransport: MailTransport;
  readonly quota: MailQuota;
  readonly from: { readonly name: string; readonly address: string };
  readonly log: Logger;
}

import type { Logger } from '@invoicing/telemetry';
import type { InvoiceSource } from '../billing-client';
import type { AccessPoint, AccessPointAccount } from './access-point';
import type { AccessPointStore } from './access-point-store';
import type { PeppolDeliveryStore } from './peppol-delivery-store';
import type { RecipientStore } from './recipient-store';

/** What sending over Peppol needs. */
export interface PeppolPorts {
  readonly deliveries: PeppolDeliveryStore;
  readonly accounts: AccessPointStore;
  readonly recipients: RecipientStore;
  readonly invoices: InvoiceSource;
  readonly openAccessPoint: (account: AccessPointAccount) => AccessPoint;
  readonly log: Logger;
}

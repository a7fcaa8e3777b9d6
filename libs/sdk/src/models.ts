import type { components } from './generated/api';

// The names that callers use, tied to the generated types: a change of the API shows here first.
type Schemas = components['schemas'];

export type Me = Schemas['Me'];
export type Customer = Schemas['Customer'];
export type CustomerInput = Schemas['CustomerInput'];
export type Product = Schemas['Product'];
export type ProductInput = Schemas['ProductInput'];
export type Invoice = Schemas['Invoice'];
export type InvoiceInput = Schemas['InvoiceInput'];
export type InvoiceCreated = Schemas['InvoiceCreated'];
export type LineInput = Schemas['LineInput'];
export type Subscription = Schemas['Subscription'];
export type SubscriptionInput = Schemas['SubscriptionInput'];
export type Checkout = Schemas['Checkout'];
export type CheckoutInput = Schemas['CheckoutInput'];
export type CheckoutCreated = Schemas['CheckoutCreated'];
export type CreditsInput = Schemas['CreditsInput'];
export type CreditGrant = Schemas['CreditGrant'];
export type Health = Schemas['Health'];
/** An invoice or credit note has its number. */
export type InvoiceIssuedEvent = Schemas['InvoiceIssuedEvent'];
/** A payment first left nothing of an invoice open. */
export type InvoicePaidEvent = Schemas['InvoicePaidEvent'];
/** The due date has passed and something is open. */
export type InvoiceOverdueEvent = Schemas['InvoiceOverdueEvent'];
/** A credit note was issued for an invoice. */
export type InvoiceCreditedEvent = Schemas['InvoiceCreditedEvent'];
/** Money came in for an invoice. */
export type PaymentRecordedEvent = Schemas['PaymentRecordedEvent'];
/** Money of a payment went back to the payer. */
export type PaymentRefundedEvent = Schemas['PaymentRefundedEvent'];
/** The payer's bank took a payment back. */
export type PaymentChargedBackEvent = Schemas['PaymentChargedBackEvent'];
/** A checkout session was paid; its invoice follows. */
export type CheckoutPaidEvent = Schemas['CheckoutPaidEvent'];
/** A checkout session came to its end unpaid. */
export type CheckoutExpiredEvent = Schemas['CheckoutExpiredEvent'];
/** A period of a subscription was invoiced. */
export type SubscriptionInvoicedEvent = Schemas['SubscriptionInvoicedEvent'];
/** An e-mail could not be sent and is not tried again. */
export type MailFailedEvent = Schemas['MailFailedEvent'];
/** What `admin webhook test` sends to try an endpoint. */
export type WebhookTestEvent = Schemas['WebhookTestEvent'];
/** Every event that a webhook can carry; tell them apart by `type`. Ignore types that you do not know: there may be more. */
export type WebhookEvent =
  | InvoiceIssuedEvent
  | InvoicePaidEvent
  | InvoiceOverdueEvent
  | InvoiceCreditedEvent
  | PaymentRecordedEvent
  | PaymentRefundedEvent
  | PaymentChargedBackEvent
  | CheckoutPaidEvent
  | CheckoutExpiredEvent
  | SubscriptionInvoicedEvent
  | MailFailedEvent
  | WebhookTestEvent;

import type { components } from './generated/api';

// The names that callers use, tied to the generated types: a change of the API shows here first.
type Schemas = components['schemas'];

/** Whom an API key belongs to. */
export type Me = Schemas['Me'];
/** Somebody who is invoiced. */
export type Customer = Schemas['Customer'];
/** A customer that is to be created or changed. */
export type CustomerInput = Schemas['CustomerInput'];
/** Something that is sold. */
export type Product = Schemas['Product'];
/** A product that is to be created. */
export type ProductInput = Schemas['ProductInput'];
/** An invoice, draft or issued. */
export type Invoice = Schemas['Invoice'];
/** An invoice that is to be created. */
export type InvoiceInput = Schemas['InvoiceInput'];
/** What the creation of an invoice answers. */
export type InvoiceCreated = Schemas['InvoiceCreated'];
/** What a document that was tried out adds up to, in cents. */
export type InvoiceTotals = Schemas['InvoiceTotals'];
/** Where a document that was tried out can be looked at. */
export type InvoicePreview = Schemas['InvoicePreview'];
/** Something that is worth a look though it was done. */
export type Warning = Schemas['Warning'];
/** One line of an invoice, subscription or checkout that is to be created. */
export type LineInput = Schemas['LineInput'];
/** An invoice that is issued again and again. */
export type Subscription = Schemas['Subscription'];
/** A subscription that is to be created. */
export type SubscriptionInput = Schemas['SubscriptionInput'];
/** A payment page. */
export type Checkout = Schemas['Checkout'];
/** A payment page that is to be created. */
export type CheckoutInput = Schemas['CheckoutInput'];
/** What the creation of a payment page answers. */
export type CheckoutCreated = Schemas['CheckoutCreated'];
/** The time in which a test organisation lives. */
export type Clock = Schemas['Clock'];
/** Where the clock of a test organisation is to be moved. */
export type ClockMove = Schemas['ClockMove'];
/** Something that is to happen to an invoice of a test organisation. */
export type TestEventInput = Schemas['TestEventInput'];
/** What happened to an invoice of a test organisation. */
export type TestEvent = Schemas['TestEvent'];
/** What a test organisation can have go wrong. */
export type TestScenario = components['parameters']['TestScenario'];
/** Mail credits that are to be granted. */
export type CreditsInput = Schemas['CreditsInput'];
/** Mail credits that were granted. */
export type CreditGrant = Schemas['CreditGrant'];
/** Whether each part of the service works. */
export type Health = Schemas['Health'];
/** An invoice or credit note has its number. */
export type InvoiceIssuedEvent = Schemas['InvoiceIssuedEvent'];
/** A payment first left nothing of an invoice open. */
export type InvoicePaidEvent = Schemas['InvoicePaidEvent'];
/** The due date has passed and something is open. */
export type InvoiceOverdueEvent = Schemas['InvoiceOverdueEvent'];
/** A reminder of it was sent. */
export type InvoiceRemindedEvent = Schemas['InvoiceRemindedEvent'];
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
/** The Peppol network has acknowledged the delivery of an e-invoice. */
export type PeppolDeliveredEvent = Schemas['PeppolDeliveredEvent'];
/** An e-invoice could not be delivered over Peppol and is not tried again. */
export type PeppolFailedEvent = Schemas['PeppolFailedEvent'];
/** What `admin webhook test` sends to try an endpoint. */
export type WebhookTestEvent = Schemas['WebhookTestEvent'];
/** Every event that a webhook can carry; tell them apart by `type`. Ignore types that you do not know: there may be more. */
export type WebhookEvent =
  | InvoiceIssuedEvent
  | InvoicePaidEvent
  | InvoiceOverdueEvent
  | InvoiceRemindedEvent
  | InvoiceCreditedEvent
  | PaymentRecordedEvent
  | PaymentRefundedEvent
  | PaymentChargedBackEvent
  | CheckoutPaidEvent
  | CheckoutExpiredEvent
  | SubscriptionInvoicedEvent
  | MailFailedEvent
  | PeppolDeliveredEvent
  | PeppolFailedEvent
  | WebhookTestEvent;

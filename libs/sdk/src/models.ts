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
export type InvoicePaidEvent = Schemas['InvoicePaidEvent'];
/** What `admin webhook test` sends to try an endpoint. */
export interface WebhookTestEvent {
  type: 'webhook.test';
  timestamp: string;
  data: { endpointId: string };
}
/** Every event that a webhook can carry; tell them apart by `type`. Ignore types that you do not know: there may be more. */
export type WebhookEvent = InvoicePaidEvent | WebhookTestEvent;

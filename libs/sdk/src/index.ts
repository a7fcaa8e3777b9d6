export { InvoicingClient, type CreateOptions, type RequestOptions } from './invoicing-client';
export type * from './models';
export { InvoicingConnectionError, InvoicingError, type ErrorCode, type Violation } from './errors';
export { type Retry, type TransportOptions } from './transport-options';
export { WebhookVerificationError, verifyWebhook, type VerifyOptions, type WebhookHeaders } from './verify-webhook';

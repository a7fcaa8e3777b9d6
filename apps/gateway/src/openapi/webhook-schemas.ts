import { Type, type TSchema } from '@sinclair/typebox';
import type { EventType } from '@invoicing/rules';
import { cents, date, object, oneOf, orNull, timestamp, uuid } from '../schemas/fields';

type Fields = Record<string, TSchema>;

const text = (description: string, example: string) => Type.String({ description, examples: [example] });
const count = (description: string, example: number) => Type.Integer({ description, examples: [example] });
const currency = text('ISO 4217.', 'EUR');
const provider = text('Payment provider; `bank` or `cash` when it was recorded by hand.', 'mollie');
const method = text("The provider's method id.", 'ideal');
const paymentId = text("The provider's payment id.", 'tr_7UhSN1zuXS');

const ofInvoice = {
  invoiceId: uuid('invoice', 'The invoice.'),
  number: text('Its number.', '2026-0001'),
  publicToken: text('Token of its public page.', 'kT3sYw0nQ1mB8vXcZ5rJ2g'),
};
const total = {
  totalIncl: cents('Total including VAT, in cents.', 12_100),
  currency,
  customerId: uuid('customer', 'Its customer.'),
};
const moved = {
  entryId: uuid('entry', "The entry on the invoice's account."),
  ...ofInvoice,
  customerId: total.customerId,
  amountCents: cents('Amount in cents; above 0.', 12_100),
  currency,
  date: date('When the money moved.'),
  openCents: cents('What is still to be paid of the invoice after it, in cents.', 0),
  surplusCents: cents('What was received and is not owed after it, in cents.', 0),
  payment: Type.Object({ provider, method, id: paymentId }, { description: 'The payment.' }),
};
const ofCheckout = {
  checkoutId: uuid('checkout', 'The checkout session.'),
  amountIncl: cents('What was asked for including VAT, in cents.', 12_100),
  currency,
};

const paid = object(
  'Payment',
  {
    provider,
    method,
    id: paymentId,
    paidAt: timestamp('When it was paid.'),
    amountCents: Type.Integer({ description: 'Amount in cents.', examples: [12_100] }),
  },
  'A payment.',
);

export interface WebhookText {
  /** Of the component and of the operation. */
  readonly name: string;
  readonly summary: string;
  readonly description: string;
}

const event = (type: string, { name, summary, description }: WebhookText, data: Fields) => ({
  name,
  summary,
  description,
  schema: object(
    `${name}Event`,
    {
      type: Type.Literal(type, { description: 'The event.', examples: [type] }),
      timestamp: timestamp('When it happened.'),
      data: Type.Object(data, { description: 'What happened.' }),
    },
    `${summary}.`,
  ),
});

/** The event catalogue as integrators see it: a type without its row does not compile. */
export const eventSchemas: Record<EventType, ReturnType<typeof event>> = {
  'invoice.issued': event(
    'invoice.issued',
    {
      name: 'InvoiceIssued',
      summary: 'An invoice or credit note was issued',
      description: 'It has its number and never changes any more.',
    },
    {
      ...ofInvoice,
      ...total,
      kind: oneOf(['invoice', 'credit_note'], 'Which of the two.', 'invoice'),
      issueDate: orNull(date('Date of issue.')),
      dueDate: orNull(date('When it is to be paid.', '2026-03-15')),
    },
  ),
  'invoice.paid': event(
    'invoice.paid',
    {
      name: 'InvoicePaid',
      summary: 'An invoice was paid',
      description:
        'Sent once, when a payment first leaves nothing of the invoice open: after a hosted checkout is paid and its invoice is created, ' +
        'or when an invoice is paid. What every endpoint gets that asks for nothing else.',
    },
    { ...ofInvoice, ...total, checkoutId: orNull(uuid('checkout', 'The checkout session, if any.')), payment: paid },
  ),
  'invoice.overdue': event(
    'invoice.overdue',
    {
      name: 'InvoiceOverdue',
      summary: 'An invoice is overdue',
      description:
        "Sent once, when its due date has passed in the organisation's time zone and something of it is open.",
    },
    {
      ...ofInvoice,
      ...total,
      openCents: cents('What is still to be paid, in cents.', 12_100),
      dueDate: date('When it was to be paid.', '2026-03-15'),
    },
  ),
  'invoice.reminded': event(
    'invoice.reminded',
    {
      name: 'InvoiceReminded',
      summary: 'A reminder of an invoice was sent',
      description: 'Once for each step of the plan of reminders, when the mail server has taken it.',
    },
    {
      ...ofInvoice,
      ...total,
      openCents: cents('What is still to be paid on the invoice, in cents.', 12_100),
      dueDate: date('When it was to be paid.', '2026-03-15'),
      reminderId: uuid('reminder', 'The reminder.'),
      step: Type.Integer({ description: 'Which of the plan, from 1.', minimum: 1, examples: [2] }),
      channel: oneOf(['email', 'post'], 'How it was sent.', 'email'),
      costsCents: cents('Collection costs that it asks for beside the invoice.', 0),
      interestCents: cents('Interest that it asks for beside the invoice.', 0),
    },
  ),
  'invoice.credited': event(
    'invoice.credited',
    {
      name: 'InvoiceCredited',
      summary: 'An invoice was credited',
      description:
        'A credit note was issued for it, of all or of a part; `invoice.issued` tells of the credit note itself.',
    },
    {
      invoiceId: uuid('invoice', 'The invoice that is credited.'),
      number: ofInvoice.number,
      customerId: total.customerId,
      creditNoteId: uuid('creditNote', 'The credit note.'),
      creditNoteNumber: text('Number of the credit note.', 'C-2026-0001'),
      publicToken: text("Token of the credit note's public page.", 'kT3sYw0nQ1mB8vXcZ5rJ2g'),
      amountCents: cents('What is credited including VAT, in cents; above 0.', 12_100),
      currency,
      reason: text('As on the credit note; may be empty.', 'Returned'),
    },
  ),
  'payment.recorded': event(
    'payment.recorded',
    {
      name: 'PaymentRecorded',
      summary: 'Money came in for an invoice',
      description: 'Every payment, whole or partial, through a provider or recorded by hand.',
    },
    moved,
  ),
  'payment.refunded': event(
    'payment.refunded',
    { name: 'PaymentRefunded', summary: 'Money went back to the payer', description: 'All or a part of a payment.' },
    {
      ...moved,
      refundId: orNull(text("The provider's refund id; null by hand.", 're_4qqhO89gsT')),
      reason: text('Why; may be empty.', 'Returned'),
    },
  ),
  'payment.charged_back': event(
    'payment.charged_back',
    {
      name: 'PaymentChargedBack',
      summary: "The payer's bank took a payment back",
      description: 'The invoice is open again.',
    },
    { ...moved, chargebackId: text("The provider's chargeback id.", 'chb_n9z0tp') },
  ),
  'checkout.paid': event(
    'checkout.paid',
    {
      name: 'CheckoutPaid',
      summary: 'A checkout session was paid',
      description: 'Its invoice is made next: `invoice.paid` tells of it.',
    },
    ofCheckout,
  ),
  'checkout.expired': event(
    'checkout.expired',
    {
      name: 'CheckoutExpired',
      summary: 'A checkout session expired',
      description: 'It came to its end unpaid. Money that comes later still wins: then `checkout.paid` follows.',
    },
    { ...ofCheckout, expiresAt: timestamp('When it came to its end.') },
  ),
  'subscription.invoiced': event(
    'subscription.invoiced',
    {
      name: 'SubscriptionInvoiced',
      summary: 'A period of a subscription was invoiced',
      description: 'Sent once for each period, whether its invoice was sent or left a draft.',
    },
    {
      subscriptionId: uuid('subscription', 'The subscription.'),
      customerId: total.customerId,
      periodDate: date('The occurrence.'),
      invoiceId: uuid('invoice', 'Its invoice.'),
      invoiceStatus: oneOf(['draft', 'sent'], 'Whether it was issued.', 'sent'),
      nextRunDate: orNull(date('The next occurrence; null when there is none.', '2026-04-01')),
    },
  ),
  'mail.failed': event(
    'mail.failed',
    {
      name: 'MailFailed',
      summary: 'An e-mail could not be sent, or came back',
      description: 'It is not tried again by itself. One that came back had been sent: `error` is `bounced`.',
    },
    {
      mailId: uuid('mail', 'The message.'),
      invoiceId: uuid('invoice', 'The invoice that it was to bring.'),
      error: text(
        'A stable code: `no_recipient`, `recipient_rejected`, `smtp_unavailable`, `timeout`, `mail_quota`, or, after it was sent, `bounced`.',
        'recipient_rejected',
      ),
      attempts: count('How often it was tried.', 1),
      reason: orNull(
        text('What the recipient’s mail server said of a message that it sent back.', '550 5.1.1 no such user'),
      ),
    },
  ),
  'peppol.delivered': event(
    'peppol.delivered',
    {
      name: 'PeppolDelivered',
      summary: 'An e-invoice was delivered over Peppol',
      description: 'The network has acknowledged its delivery to the access point of the recipient.',
    },
    {
      deliveryId: uuid('delivery', 'The delivery.'),
      invoiceId: uuid('invoice', 'The invoice or credit note.'),
      recipient: text('The participant: scheme and id.', '0208:0123456749'),
      messageId: text("The network's id of the message, by which its delivery is proven.", '5b1c7d0e@ap.example'),
    },
  ),
  'peppol.failed': event(
    'peppol.failed',
    {
      name: 'PeppolFailed',
      summary: 'An e-invoice could not be delivered over Peppol',
      description: 'It is not tried again by itself.',
    },
    {
      deliveryId: uuid('delivery', 'The delivery.'),
      invoiceId: uuid('invoice', 'The invoice or credit note.'),
      recipient: orNull(text('The participant: scheme and id; null when there is none.', '0208:0123456749')),
      error: text(
        'A stable code: `not_connected`, `no_e_invoice`, `recipient_not_found`, `rejected`, `undelivered`, `not_acknowledged`, `unavailable`.',
        'recipient_not_found',
      ),
      reason: text(
        'What the access point said; a sentence.',
        'the customer receives no invoices on the Peppol network',
      ),
    },
  ),
};

export const webhookTest = event(
  'webhook.test',
  {
    name: 'WebhookTest',
    summary: 'An operator tries the endpoint',
    description:
      'Sent to one endpoint when an operator asks for it, whatever events it wants. Signed like every other.',
  },
  { endpointId: uuid('endpoint', 'The endpoint that is tried.') },
);

import { Type } from '@sinclair/typebox';
import { type DryRunDocuments } from '@invoicing/contracts/invoicing/billing/v1/invoices';
import { date, object, oneOf, orNull, timestamp, uuid } from './fields';
import { supplyInput, termsInput } from './document-terms';
import { linesInput } from './line';

export const INVOICE_STATUSES = ['draft', 'sent', 'paid'] as const;
export const INVOICE_KINDS = ['invoice', 'credit_note'] as const;
const MAX_INVOICE_LINES = 500;

export const invoiceInput = object(
  'InvoiceInput',
  {
    customerId: uuid('customer', 'A customer of the organisation.'),
    lines: linesInput(MAX_INVOICE_LINES),
    // Any date that an example had would be too old one day.
    issueDate: Type.Optional(
      Type.String({
        format: 'date',
        description: 'Date on the invoice. Default: today in the time zone of the organisation.',
        examples: [],
      }),
    ),
    dueDate: Type.Optional(
      Type.String({
        format: 'date',
        description: 'Pay before; not before `issueDate`. Default: `issueDate` plus 14 days.',
        examples: [],
      }),
    ),
    ...termsInput,
    ...supplyInput,
    send: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'true: number, lock and e-mail the invoice at once; false: leave it a draft.',
        examples: [true],
      }),
    ),
    profileId: Type.Optional(
      uuid(
        'profile',
        'House style and number series; a profile of the organisation. A key restricted to a profile may name only that one.',
      ),
    ),
  },
  'An invoice to create. The server computes all totals.',
);

const publicToken = Type.String({
  description: 'Opaque token of the public page `{public_url}/p/<public_token>`.',
  examples: ['kT3sYw0nQ1mB8vXcZ5rJ2g'],
});
const number = Type.String({
  description: 'Invoice number, gapless per series once issued; `CONCEPT-XXXXXXXX` for a draft.',
  examples: ['2026-0001'],
});

export const invoiceListItem = object(
  'Invoice',
  {
    id: uuid('invoice', 'Id of the invoice.'),
    number,
    kind: oneOf(INVOICE_KINDS, 'A credit note gives back what an earlier invoice asked for.', 'invoice'),
    status: oneOf(
      INVOICE_STATUSES,
      'An invoice that is sent or paid never changes. `paid`: nothing is open and money was received; an invoice that was credited ' +
        'whole is `sent` with `open_cents` 0.',
      'sent',
    ),
    total_incl: Type.Integer({
      description:
        'Total including VAT, in cents. Of a credit note: what it gives back, above 0 too; its `kind` says which way it goes.',
      examples: [12_100],
    }),
    open_cents: Type.Integer({
      description:
        'What is still to be paid, in cents. 0 for drafts, credit notes and invoices that are paid or paid too much.',
      examples: [12_100],
    }),
    issue_date: date('Date on the invoice.'),
    customer_id: uuid('customer', 'Its customer.'),
    public_token: publicToken,
  },
  'An invoice in a list.',
);

export const invoiceCreated = object(
  'InvoiceCreated',
  {
    id: uuid('invoice', 'Id of the invoice.'),
    number,
    public_token: publicToken,
    emailed: Type.Boolean({ description: 'Whether the e-mail to the customer was dispatched.', examples: [true] }),
    emailError: orNull(
      Type.String({
        description:
          'Null when e-mailed, else a stable code: `draft`, `no_recipient`, `recipient_rejected`, `smtp_unavailable`, `timeout`, ' +
          '`mail_quota` (as many e-mails as it may today; it goes out another day). ' +
          'The invoice is issued either way.',
        examples: [null, 'no_recipient'],
      }),
    ),
  },
  'What became of a new invoice.',
);

const sum = (description: string, example: number) => Type.Integer({ description, examples: [example] });
const address = (description: string, file: string) =>
  Type.String({
    format: 'uri',
    description,
    examples: [`https://invoicing.example/p/dry-run/Q2xhcmFTY2h1bWFubg/${file}`],
  });

/** What a dry run of an invoice says beside `data`. */
export const foreseenInvoice = {
  totals: Type.Optional(
    object(
      'InvoiceTotals',
      {
        exclCents: sum('Without VAT, in cents.', 10_000),
        vatCents: sum('VAT, in cents.', 2_100),
        inclCents: sum('Including VAT, in cents.', 12_100),
      },
      'What the document adds up to.',
    ),
  ),
  documents: Type.Optional(
    object(
      'InvoicePreview',
      {
        pdf: address('The PDF that would be made, marked as a draft. Needs no key.', 'invoice.pdf'),
        eInvoice: orNull(
          address(
            'The e-invoice (UBL) that would be made; null for a draft, and where there would be none.',
            'invoice.xml',
          ),
        ),
        expiresAt: timestamp('When the addresses end: ten minutes after the answer.'),
      },
      'What the document would look like. Absent when it cannot be issued as it is, and when it is too long for an address, which ' +
        'carries all of it: nothing is stored.',
    ),
  ),
};

/** The same out of what billing says. */
export const foreseenOf = ({ totals, pdfUrl, eInvoiceUrl, expiresAt }: DryRunDocuments) => ({
  totals: { exclCents: totals!.exclCents, vatCents: totals!.vatCents, inclCents: totals!.inclCents },
  ...(expiresAt && { documents: { pdf: pdfUrl, eInvoice: eInvoiceUrl || null, expiresAt: expiresAt.toISOString() } }),
});

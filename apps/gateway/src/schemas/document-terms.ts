import { Type, type Static } from '@sinclair/typebox';
import type { Period } from '@invoicing/contracts/invoicing/billing/v1/line';
import { DOCUMENT_TEXT_LIMITS } from '@invoicing/rules';
import { date, object, optionalLine } from './fields';

export const pricesIncludeVat = Type.Boolean({
  description:
    'Whether every `unitPriceCents` of the document, and every price that a product fills in, includes VAT; the total is then ' +
    'exactly the sum of the lines. Default: false.',
  examples: [false],
});
export const reference = optionalLine(
  DOCUMENT_TEXT_LIMITS.reference,
  "The customer's own reference, e.g. of a purchase order; on the document and in the e-invoice.",
  'PO-4711',
);
export const note = Type.String({
  maxLength: DOCUMENT_TEXT_LIMITS.note,
  description: 'Shown on the document. Default: none.',
  examples: ['Thank you for your order.'],
});

/** What invoices, subscriptions and checkouts say of the document beside its lines. */
export const termsInput = {
  pricesIncludeVat: Type.Optional(pricesIncludeVat),
  reference: Type.Optional(reference),
  note: Type.Optional(note),
};

/** When what is invoiced was supplied. */
export const supplyInput = {
  supplyDate: Type.Optional(
    date('Day of the supply. Default: `issueDate`. Give this or `period`, not both.', '2026-02-28'),
  ),
  period: Type.Optional({
    ...object(
      'Period',
      { from: date('First day.', '2026-02-01'), to: date('Last day, not before the first.', '2026-02-28') },
      'The days in which it is supplied, instead of one day.',
    ),
    // The example of a document has its supply date.
    examples: [],
  }),
};

interface Terms {
  readonly pricesIncludeVat?: Static<typeof pricesIncludeVat> | undefined;
  readonly reference?: Static<typeof reference> | undefined;
  readonly note?: Static<typeof note> | undefined;
}

interface Supply {
  readonly supplyDate?: string | undefined;
  readonly period?: Period | undefined;
}

export const termsMessage = (body: Terms): Terms => ({
  pricesIncludeVat: body.pricesIncludeVat,
  reference: body.reference,
  note: body.note,
});

export const supplyMessage = (body: Supply): Supply => ({ supplyDate: body.supplyDate, period: body.period });

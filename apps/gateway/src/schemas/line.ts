import { Type, type Static } from '@sinclair/typebox';
import { VatTreatment, type LineInput } from '@invoicing/contracts/invoicing/billing/v1/line';
import { fromWord, wordsOf } from './enum-words';
import { cents, object, oneOf, optionalLine, orNull, uuid } from './fields';

const VAT_TREATMENTS = ['standard_21', 'reduced_9', 'zero', 'exempt', 'reverse_charge', 'intra_community'] as const;
const vatTreatmentWord = wordsOf('VAT_TREATMENT_', VAT_TREATMENTS);
const MAX_QUANTITY = 1e9;
// A document is rendered, e-mailed, listed by the hundred and kept for seven years.
const MAX_LINE_TEXT_BYTES = 128 * 1024;

const description = Type.String({
  maxLength: 2_000,
  description: 'What is sold. Default: the name of the product, else `Regel`.',
  examples: ['Consultancy'],
});
const quantity = {
  minimum: -MAX_QUANTITY,
  maximum: MAX_QUANTITY,
  'x-decimals': 6,
  description: 'How many units, with at most 6 decimals; negative takes back.',
  examples: [1, 1.5],
};
const unitPriceCents = cents(
  'Price per unit in cents, excluding VAT unless `pricesIncludeVat`. Default: the price of the product; a line needs one of the two.',
  10_000,
);
const vatTreatment = oneOf(
  VAT_TREATMENTS,
  'How the line is taxed. Default: by the VAT rate of the product, else `standard_21`.',
  'standard_21',
);
const productId = uuid('product', 'A product of the organisation; it fills in what the line leaves out.');

const unit = optionalLine(
  30,
  'What the quantity counts, in your own words; the e-invoice gives the UN/ECE code where it is known. Default: the unit of the product.',
  'uur',
);
const discountBps = Type.Integer({
  minimum: 0,
  maximum: 10_000,
  description: 'Discount on the line in basis points (1000 is 10 %), shown as such. Default: none.',
  examples: [1_000],
});

const lineInput = object(
  'LineInput',
  {
    description: Type.Optional(description),
    quantity: Type.Optional(Type.Number({ ...quantity, default: 1 })),
    unitPriceCents: Type.Optional(unitPriceCents),
    vatTreatment: Type.Optional(vatTreatment),
    productId: Type.Optional(productId),
    unit: Type.Optional(unit),
    discountBps: Type.Optional(discountBps),
  },
  'A line of an invoice, subscription or checkout.',
);

export const linesInput = (maxItems: number) =>
  Type.Array(lineInput, {
    minItems: 1,
    maxItems,
    'x-max-text-bytes': MAX_LINE_TEXT_BYTES,
    description: `1 to ${maxItems} lines, with at most ${MAX_LINE_TEXT_BYTES / 1024} KiB of text (UTF-8) together.`,
  });

/** A line as it was given; null where it was left out. */
export const lineOutput = object(
  'Line',
  {
    description: orNull(description),
    quantity: Type.Unsafe<number | null>({ ...quantity, type: ['number', 'null'] }),
    unitPriceCents: orNull(unitPriceCents),
    vatTreatment: Type.Unsafe<Static<typeof vatTreatment> | null>({
      ...vatTreatment,
      type: ['string', 'null'],
      enum: [...VAT_TREATMENTS, null],
    }),
    productId: orNull(productId),
    unit: orNull(unit),
    discountBps: orNull(discountBps),
  },
  'A line as it was given; null where it was left out.',
);

export const lineMessage = (line: Static<typeof lineInput>): LineInput => ({
  description: line.description,
  // The shortest decimal text of the number is exactly what the client wrote.
  quantity: line.quantity === undefined ? undefined : String(line.quantity),
  unitPriceCents: line.unitPriceCents,
  vatTreatment: line.vatTreatment
    ? fromWord<VatTreatment>('VAT_TREATMENT_', line.vatTreatment)
    : VatTreatment.UNSPECIFIED,
  productId: line.productId?.toLowerCase(),
  // Blank counts as absent, as forms send it.
  unit: line.unit?.trim() || undefined,
  discountBps: line.discountBps,
});

export const lineOf = (line: LineInput): Static<typeof lineOutput> => ({
  description: line.description ?? null,
  quantity: line.quantity === undefined ? null : Number(line.quantity),
  unitPriceCents: line.unitPriceCents ?? null,
  vatTreatment: line.vatTreatment === VatTreatment.UNSPECIFIED ? null : vatTreatmentWord(line.vatTreatment),
  productId: line.productId ?? null,
  unit: line.unit ?? null,
  discountBps: line.discountBps ?? null,
});

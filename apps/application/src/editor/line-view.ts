import { VatTreatment } from '@invoicing/contracts/invoicing/billing/v1/line';
import type { LineForm } from '../invoices/draft-form';
import type { FieldBlock } from '../pages/blocks';
import type { Faults } from '../pages/form-request';
import type { Texts } from '../pages/texts';
import type { Workplace } from '../pages/visit';

const TREATMENTS: readonly [VatTreatment, keyof Texts][] = [
  [VatTreatment.STANDARD_21, 'vatStandard'],
  [VatTreatment.REDUCED_9, 'vatReduced'],
  [VatTreatment.ZERO, 'vatZero'],
  [VatTreatment.EXEMPT, 'vatExempt'],
  [VatTreatment.REVERSE_CHARGE, 'vatReverse'],
  [VatTreatment.INTRA_COMMUNITY, 'vatIntra'],
];

export const treatmentName = (t: Texts, treatment: VatTreatment): string => {
  const found = TREATMENTS.find(([value]) => value === treatment);
  return found ? t[found[1]] : '';
};

/** The lines of an editor, each with the name of the product that it is about. */
export const linesView = (
  place: Workplace,
  lines: readonly LineForm[],
  faults: Faults,
  names: ReadonlyMap<string, string>,
) =>
  lines.map((line, index) => ({
    label: [`${place.t.line} ${index + 1}`, names.get(line.productId)].filter(Boolean).join(' · '),
    press: `remove-${index}`,
    productId: { name: `lines.${index}.productId`, value: line.productId },
    fields: lineFields(place, faults, line, index),
  }));

function lineFields({ t }: Workplace, faults: Faults, line: LineForm, index: number): readonly FieldBlock[] {
  const field = (name: keyof LineForm, label: string, more: Partial<FieldBlock> = {}): FieldBlock => ({
    name: `lines.${index}.${name}`,
    label,
    value: line[name],
    fault: faults.fields[`lines.${index}.${name}`],
    autocomplete: 'off',
    required: true,
    ...more,
  });
  return [
    field('description', t.description, { rows: 1, maxLength: 2_000 }),
    field('quantity', t.quantity, { inputMode: 'decimal', maxLength: 30 }),
    field('unit', t.unit, { maxLength: 30, required: false }),
    field('unitPriceCents', t.unitPrice, { inputMode: 'decimal', maxLength: 30 }),
    field('vatTreatment', t.vat, {
      required: false,
      options: [
        { value: '', label: t.vatOfProduct },
        ...TREATMENTS.map(([value, label]) => ({ value, label: t[label] })),
      ],
    }),
    field('discountBps', t.discount, { inputMode: 'decimal', maxLength: 10, required: false }),
  ];
}

import { VatTreatment as ProtoTreatment } from '@invoicing/contracts/invoicing/billing/v1/line';
import type {
  Line as ProtoLine,
  LineInput as ProtoLineInput,
  Totals as ProtoTotals,
} from '@invoicing/contracts/invoicing/billing/v1/line';
import type { Line, Totals, VatTreatment } from './invoice';
import type { LineInput } from './price-lines';
import { vatTreatments } from './totals';

const PREFIX = 'VAT_TREATMENT_';

const toTreatment = (treatment: VatTreatment): ProtoTreatment =>
  `${PREFIX}${treatment.toUpperCase()}` as ProtoTreatment;

function fromTreatment(treatment: ProtoTreatment): LineInput['vatTreatment'] {
  if (treatment === ProtoTreatment.UNSPECIFIED) return undefined;
  return vatTreatments.find((each) => toTreatment(each) === treatment) ?? 'unknown';
}

/** A line as it came over gRPC. */
export const fromLineInput = ({ vatTreatment, ...input }: ProtoLineInput): LineInput => ({
  ...input,
  vatTreatment: fromTreatment(vatTreatment),
});

/** The way back, for lines that are kept as given. */
export const toLineInput = ({ vatTreatment, ...input }: LineInput): ProtoLineInput => ({
  ...input,
  vatTreatment: vatTreatment && vatTreatment !== 'unknown' ? toTreatment(vatTreatment) : ProtoTreatment.UNSPECIFIED,
});

export const toLine = ({ vatTreatment, productId, ...line }: Line): ProtoLine => ({
  ...line,
  vatTreatment: toTreatment(vatTreatment),
  productId: productId ?? undefined,
});

export const toTotals = ({ groups, ...sums }: Totals): ProtoTotals => ({
  ...sums,
  groups: groups.map((group) => ({ ...group, vatTreatment: toTreatment(group.vatTreatment) })),
});

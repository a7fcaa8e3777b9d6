import { VatTreatment, type LineInput } from '@invoicing/contracts/invoicing/billing/v1/line';
import { enumOf } from '../enum-names';

/** The line of the REST API, as it stands in a file. */
export interface FileLine {
  description?: string;
  quantity?: number | string;
  unitPriceCents?: number;
  vatTreatment?: string;
  productId?: string;
  unit?: string;
  discountBps?: number;
}

export const lineInput = ({ quantity, vatTreatment, ...line }: FileLine): LineInput => ({
  ...line,
  quantity: quantity === undefined ? undefined : String(quantity),
  vatTreatment: vatTreatment ? enumOf<VatTreatment>('VAT_TREATMENT', vatTreatment) : VatTreatment.UNSPECIFIED,
});

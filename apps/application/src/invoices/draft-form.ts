import type { Request } from 'express';
import { CreateInvoiceRequest, type Invoice } from '@invoicing/contracts/invoicing/billing/v1/invoices';
import { LineInput, vatTreatmentFromJSON, VatTreatment } from '@invoicing/contracts/invoicing/billing/v1/line';
import { validationError, type Violation } from '@invoicing/errors';
import { fieldOf } from '../pages/form-request';
import type { Language } from '../pages/texts';
import { centsField, typedCents, typedDecimal } from '../pages/typed-amount';

/** One line as it stands in the editor: what was typed. */
export interface LineForm {
  readonly productId: string;
  readonly description: string;
  readonly quantity: string;
  readonly unitPriceCents: string;
  readonly vatTreatment: string;
  readonly discountBps: string;
}

/** A draft as it stands in the editor. */
export interface DraftForm {
  readonly customerId: string;
  readonly profileId: string;
  readonly issueDate: string;
  readonly dueDate: string;
  readonly pricesIncludeVat: string;
  readonly reference: string;
  readonly note: string;
  readonly lines: readonly LineForm[];
}

export const MAX_LINES = 500;
const BLANK_LINES = 2;
const MAX_DISCOUNT = 100;

const blankLine: LineForm = {
  productId: '',
  description: '',
  quantity: '1',
  unitPriceCents: '',
  vatTreatment: '',
  discountBps: '',
};

export const blankDraft = (customerId: string): DraftForm => ({
  customerId,
  profileId: '',
  issueDate: '',
  dueDate: '',
  pricesIncludeVat: '',
  reference: '',
  note: '',
  lines: Array.from({ length: BLANK_LINES }, () => blankLine),
});

/** A draft that is there, as it is edited. */
export const formOf = (invoice: Invoice, language: Language): DraftForm => ({
  customerId: invoice.customerId,
  profileId: invoice.profileId,
  issueDate: invoice.issueDate,
  dueDate: invoice.dueDate,
  pricesIncludeVat: invoice.pricesIncludeVat ? 'yes' : '',
  reference: invoice.reference ?? '',
  note: invoice.note ?? '',
  lines: invoice.lines.map((line) => ({
    productId: line.productId ?? '',
    description: line.description,
    quantity: language === 'nl' ? line.quantity.replace('.', ',') : line.quantity,
    unitPriceCents: centsField(line.unitPriceCents, language),
    vatTreatment: line.vatTreatment,
    discountBps: line.discountBps ? String(line.discountBps / 100).replace('.', language === 'nl' ? ',' : '.') : '',
  })),
});

/** What was typed, and what its buttons did to the lines: `add-line`, `remove-3`. */
export function typedDraft(request: Request): DraftForm {
  const lines: LineForm[] = [];
  for (let index = 0; index < MAX_LINES && hasLine(request, index); index++) {
    const field = (name: keyof LineForm): string => fieldOf(request, `lines.${index}.${name}`);
    lines.push({
      productId: field('productId'),
      description: field('description'),
      quantity: field('quantity'),
      unitPriceCents: field('unitPriceCents'),
      vatTreatment: field('vatTreatment'),
      discountBps: field('discountBps'),
    });
  }
  const pressed = fieldOf(request, 'press');
  const removed = Number(/^remove-(\d+)$/.exec(pressed)?.[1] ?? -1);
  const kept = lines.filter((_line, index) => index !== removed);
  return {
    customerId: fieldOf(request, 'customerId'),
    profileId: fieldOf(request, 'profileId'),
    issueDate: fieldOf(request, 'issueDate'),
    dueDate: fieldOf(request, 'dueDate'),
    pricesIncludeVat: fieldOf(request, 'pricesIncludeVat'),
    reference: fieldOf(request, 'reference'),
    note: fieldOf(request, 'note'),
    lines: pressed === 'add-line' ? [...kept, blankLine] : kept,
  };
}

const hasLine = (request: Request, index: number): boolean =>
  Object.hasOwn((request.body ?? {}) as object, `lines.${index}.description`);

const isBlank = (line: LineForm): boolean =>
  line.description === '' && line.unitPriceCents === '' && line.productId === '';

/** The lines that say something, as billing takes them. Throws `validation` with the place of each fault in the form. */
export function lineInputs(form: DraftForm): LineInput[] {
  const faults: Violation[] = [];
  const inputs = form.lines.flatMap((line, index) => {
    if (isBlank(line)) return [];
    const fault = (field: keyof LineForm, message: string): undefined =>
      void faults.push({ path: `/lines/${index}/${field}`, message });
    const cents = line.unitPriceCents === '' ? undefined : typedCents(line.unitPriceCents);
    if (line.unitPriceCents !== '' && cents === undefined) fault('unitPriceCents', 'must be an amount');
    const quantity = line.quantity === '' ? '1' : typedDecimal(line.quantity);
    if (quantity === undefined) fault('quantity', 'must be a decimal number');
    const discount = Number(line.discountBps === '' ? '0' : (typedDecimal(line.discountBps) ?? NaN));
    if (!(discount >= 0 && discount <= MAX_DISCOUNT)) fault('discountBps', 'must be a percentage from 0 to 100');
    return [
      LineInput.fromPartial({
        description: line.description || undefined,
        quantity,
        unitPriceCents: cents,
        vatTreatment: line.vatTreatment === '' ? VatTreatment.UNSPECIFIED : vatTreatmentFromJSON(line.vatTreatment),
        productId: line.productId || undefined,
        discountBps: discount > 0 ? Math.round(discount * 100) : undefined,
      }),
    ];
  });
  if (faults.length > 0) throw validationError(faults);
  return inputs;
}

/** A place among the lines that billing was sent → the line of the form that it came from. */
export const formLineOf = (form: DraftForm, sent: number): number =>
  form.lines.flatMap((line, index) => (isBlank(line) ? [] : [index]))[sent] ?? sent;

/** The whole draft, to be made. */
export const draftRequest = (organizationId: string, form: DraftForm): CreateInvoiceRequest =>
  CreateInvoiceRequest.fromPartial({
    organizationId,
    customerId: form.customerId,
    lines: lineInputs(form),
    issueDate: form.issueDate || undefined,
    dueDate: form.dueDate || undefined,
    profileId: form.profileId || undefined,
    pricesIncludeVat: form.pricesIncludeVat === 'yes' || undefined,
    reference: form.reference || undefined,
    note: form.note || undefined,
    send: false,
  });

import type { Request } from 'express';
import {
  CreateInvoiceRequest,
  UpdateDraftRequest,
  type Invoice,
} from '@invoicing/contracts/invoicing/billing/v1/invoices';
import {
  LineInput,
  vatTreatmentFromJSON,
  VatTreatment,
  type Line,
} from '@invoicing/contracts/invoicing/billing/v1/line';
import { validationError, type Violation } from '@invoicing/errors';
import { fieldOf } from '../pages/form-request';
import type { Language } from '../pages/texts';
import { centsField, typedCents, typedDecimal } from '../pages/typed-amount';

const LINE_FIELDS = [
  'productId',
  'description',
  'quantity',
  'unit',
  'unitPriceCents',
  'vatTreatment',
  'discountBps',
] as const;
const HEAD_FIELDS = [
  'customerId',
  'profileId',
  'issueDate',
  'dueDate',
  'pricesIncludeVat',
  'language',
  'supplyDate',
  'periodFrom',
  'periodTo',
  'reference',
  'note',
  'post',
] as const;

/** One line as it stands in the editor: what was typed. */
export type LineForm = Readonly<Record<(typeof LINE_FIELDS)[number], string>>;
/** What a draft says beside its lines, as it was typed. */
export type HeadForm = Readonly<Record<(typeof HEAD_FIELDS)[number], string>>;

/** A draft as it stands in the editor, with what is looked for in it. */
export interface DraftForm extends HeadForm {
  readonly lines: readonly LineForm[];
  readonly customerSearch: string;
  readonly productSearch: string;
}

export const MAX_LINES = 500;
const MAX_DISCOUNT = 100;
const NOTHING_SOUGHT = { customerSearch: '', productSearch: '' };

const blank = <N extends string>(names: readonly N[]): Readonly<Record<N, string>> =>
  Object.fromEntries(names.map((name) => [name, ''])) as Record<N, string>;

export const blankLine: LineForm = { ...blank(LINE_FIELDS), quantity: '1' };

export const blankDraft = (customerId: string): DraftForm => ({
  ...blank(HEAD_FIELDS),
  ...NOTHING_SOUGHT,
  customerId,
  lines: [blankLine],
});

/** A line that is there, as it is edited. */
export const lineFormOf = (line: Line, language: Language): LineForm => ({
  productId: line.productId ?? '',
  description: line.description,
  quantity: decimalField(line.quantity, language),
  unit: line.unit,
  unitPriceCents: centsField(line.unitPriceCents, language),
  vatTreatment: line.vatTreatment,
  discountBps: line.discountBps ? decimalField(String(line.discountBps / 100), language) : '',
});

const decimalField = (decimal: string, language: Language): string =>
  language === 'nl' ? decimal.replace('.', ',') : decimal;

/** A draft that is there, as it is edited: what it does not say is empty. */
export const formOf = (draft: Invoice, language: Language): DraftForm => ({
  ...NOTHING_SOUGHT,
  customerId: draft.customerId,
  profileId: draft.profileId,
  issueDate: draft.issueDateOpen ? '' : draft.issueDate,
  dueDate: draft.dueDateOpen ? '' : draft.dueDate,
  pricesIncludeVat: draft.pricesIncludeVat ? 'yes' : '',
  language: draft.language,
  supplyDate: draft.supplyDate ?? '',
  periodFrom: draft.period?.from ?? '',
  periodTo: draft.period?.to ?? '',
  reference: draft.reference ?? '',
  note: draft.note ?? '',
  post: draft.post ? 'yes' : '',
  lines: draft.lines.map((line) => lineFormOf(line, language)),
});

/** What was typed, and what its buttons did to the lines: `add-line`, `remove-3`. */
export function typedDraft(request: Request): DraftForm {
  const lines: LineForm[] = [];
  for (let index = 0; index < MAX_LINES && hasLine(request, index); index++) {
    const typed = LINE_FIELDS.map((name) => [name, fieldOf(request, `lines.${index}.${name}`)]);
    lines.push(Object.fromEntries(typed) as LineForm);
  }
  const pressed = fieldOf(request, 'press');
  const removed = Number(/^remove-(\d+)$/.exec(pressed)?.[1] ?? -1);
  const kept = lines.filter((_line, index) => index !== removed);
  const head = Object.fromEntries(HEAD_FIELDS.map((name) => [name, fieldOf(request, name)])) as HeadForm;
  return {
    ...head,
    customerSearch: fieldOf(request, 'customerSearch').slice(0, 100),
    productSearch: fieldOf(request, 'productSearch').slice(0, 100),
    lines: pressed === 'add-line' ? [...kept, blankLine] : kept,
  };
}

const hasLine = (request: Request, index: number): boolean =>
  Object.hasOwn((request.body ?? {}) as object, `lines.${index}.description`);

const isBlank = (line: LineForm): boolean =>
  line.description === '' && line.unitPriceCents === '' && line.productId === '';

/** The same with one more line, in the place of a blank last one. */
export const withLine = <F extends Pick<DraftForm, 'lines'>>(form: F, line: LineForm): F => {
  const last = form.lines.at(-1);
  return { ...form, lines: [...(last && isBlank(last) ? form.lines.slice(0, -1) : form.lines), line] };
};

/** The lines that say something, as billing takes them. Throws `validation` with the place of each fault in the form. */
export function lineInputs(form: Pick<DraftForm, 'lines'>): LineInput[] {
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
        unit: line.unit || undefined,
        discountBps: discount > 0 ? Math.round(discount * 100) : undefined,
      }),
    ];
  });
  if (faults.length > 0) throw validationError(faults);
  return inputs;
}

/** A place among the lines that billing was sent → the line of the form that it came from. */
export const formLineOf = (form: Pick<DraftForm, 'lines'>, sent: number): number =>
  form.lines.flatMap((line, index) => (isBlank(line) ? [] : [index]))[sent] ?? sent;

/** Everything of a draft but its lines, as billing takes it; what is empty is absent. */
const saidOf = (form: DraftForm) => ({
  customerId: form.customerId,
  issueDate: form.issueDate || undefined,
  dueDate: form.dueDate || undefined,
  profileId: form.profileId || undefined,
  pricesIncludeVat: form.pricesIncludeVat === 'yes' || undefined,
  language: form.language || undefined,
  supplyDate: form.supplyDate || undefined,
  period: form.periodFrom || form.periodTo ? { from: form.periodFrom, to: form.periodTo } : undefined,
  reference: form.reference || undefined,
  note: form.note || undefined,
  post: form.post === 'yes',
});

/** The whole draft, to be made. */
export const draftRequest = (organizationId: string, form: DraftForm): CreateInvoiceRequest =>
  CreateInvoiceRequest.fromPartial({ organizationId, ...saidOf(form), lines: lineInputs(form), send: false });

/** The whole draft, instead of what it was at this revision. */
export function draftChange(organizationId: string, invoiceId: string, form: DraftForm, revision: number) {
  const lines = lineInputs(form);
  if (lines.length === 0) throw validationError([{ path: '/lines', message: `must have 1 to ${MAX_LINES} lines` }]);
  const said = { ...saidOf(form), lines };
  return UpdateDraftRequest.fromPartial({
    organizationId,
    invoiceId,
    ...said,
    updateMask: Object.keys(said),
    revision,
  });
}

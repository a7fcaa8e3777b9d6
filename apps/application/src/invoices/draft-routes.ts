import { randomUUID } from 'node:crypto';
import type { Request, Response } from 'express';
import { InvoiceStatus, UpdateDraftRequest, type Invoice } from '@invoicing/contracts/invoicing/billing/v1/invoices';
import type { PricedLines } from '@invoicing/contracts/invoicing/billing/v1/invoices';
import { AppError, notFoundError, validationError } from '@invoicing/errors';
import { faultList, fieldOf, noFaults, operationOf, submit, type Faults } from '../pages/form-request';
import { idOf } from '../pages/list-request';
import { showFragment, showTemplate, type Workplace } from '../pages/visit';
import type { AddPart, Part } from '../pages/workplace-routes';
import type { Peers } from '../peers-client';
import {
  blankDraft,
  draftRequest,
  formLineOf,
  formOf,
  lineInputs,
  MAX_LINES,
  typedDraft,
  type DraftForm,
} from './draft-form';
import { draftView, totalsView } from './draft-view';

const CHOICES = 100;

/** The editor of drafts: made, changed, with totals that the server computes. Nothing is issued here. */
export const draftRoutes =
  (peers: Peers): AddPart =>
  (part) => {
    makeDrafts(peers, part);
    changeDrafts(peers, part);
  };

/** A new draft. */
function makeDrafts(peers: Peers, part: Part): void {
  part.get(
    '/invoices/new',
    async (place, request, response) => {
      const { customer } = request.query;
      const form = blankDraft(typeof customer === 'string' ? customer : '');
      await showEditor(peers, place, response, { form, hidden: { operation: randomUUID() }, faults: noFaults });
    },
    'invoices.write',
  );

  part.post(
    '/invoices/new',
    async (place, request, response) => {
      const operation = operationOf(request);
      const form = typedDraft(request);
      const again = (faults: Faults) => showEditor(peers, place, response, { form, hidden: { operation }, faults });
      if (!isSaved(request)) return again(noFaults);
      return submit(
        place,
        response,
        async () => {
          const { id } = await peers.invoices.createInvoice(
            draftRequest(place.organizationId, form),
            place.call(operation),
          );
          return afterSave(place, id, request);
        },
        (faults) => again(atFormLines(faults, form)),
      );
    },
    'invoices.write',
  );
}

/** A draft that is there, and the totals of what is being typed. */
function changeDrafts(peers: Peers, part: Part): void {
  part.get(
    '/invoices/:id/edit',
    async (place, request, response) => {
      const draft = await findDraft(peers, place, request);
      const form = formOf(draft, place.language);
      await showEditor(peers, place, response, { form, hidden: {}, faults: noFaults, draft });
    },
    'invoices.write',
  );

  part.post(
    '/invoices/:id/edit',
    async (place, request, response) => {
      const draft = await findDraft(peers, place, request);
      const form = typedDraft(request);
      const again = (faults: Faults) => showEditor(peers, place, response, { form, hidden: {}, faults, draft });
      if (!isSaved(request)) return again(noFaults);
      return submit(
        place,
        response,
        async () => {
          await peers.invoices.updateDraft(changeOf(place, draft, form), place.call());
          return afterSave(place, draft.id, request);
        },
        (faults) => again(atFormLines(faults, form)),
      );
    },
    'invoices.write',
  );

  // What the script asks for while somebody types; without it the button "Recalculate" does the same.
  part.post(
    '/invoices/totals',
    async (place, request, response) =>
      showFragment(response, place, 'totals', {
        totals: totalsView(place, await priced(peers, place, typedDraft(request))),
      }),
    'invoices.write',
  );
}

const isSaved = (request: Request): boolean => ['save', 'issue'].includes(fieldOf(request, 'press'));

const afterSave = ({ at }: Workplace, id: string, request: Request): string =>
  at(`invoices/${id}${fieldOf(request, 'press') === 'issue' ? '/issue' : '?done=yes'}`);

/** A draft; what is issued already has no editor. */
export async function findDraft(peers: Peers, place: Workplace, request: Request): Promise<Invoice> {
  const invoiceId = idOf(request.params['id']);
  const draft = await peers.invoices.getInvoice({ organizationId: place.organizationId, invoiceId }, place.call());
  if (draft.status !== InvoiceStatus.DRAFT) throw notFoundError('the draft');
  return draft;
}

function changeOf({ organizationId }: Workplace, draft: Invoice, form: DraftForm): UpdateDraftRequest {
  const lines = lineInputs(form);
  if (lines.length === 0) throw validationError([{ path: '/lines', message: `must have 1 to ${MAX_LINES} lines` }]);
  return UpdateDraftRequest.fromPartial({
    organizationId,
    invoiceId: draft.id,
    customerId: form.customerId || undefined,
    lines,
    issueDate: form.issueDate || undefined,
    dueDate: form.dueDate || undefined,
    profileId: form.profileId || undefined,
    pricesIncludeVat: form.pricesIncludeVat === 'yes',
    reference: form.reference,
    note: form.note,
  });
}

/** Faults of lines that were sent, at the lines of the form: blank ones are not sent. */
const atFormLines = (faults: Faults, form: DraftForm): Faults => ({
  ...faults,
  fields: Object.fromEntries(
    Object.entries(faults.fields).map(([name, message]) => {
      const [, index, field] = /^lines\.(\d+)\.(\w+)$/.exec(name) ?? [];
      return [index === undefined ? name : `lines.${formLineOf(form, Number(index))}.${field}`, message];
    }),
  ),
});

/** The one pricing function, billing's; undefined while what is typed cannot be priced. */
async function priced(peers: Peers, place: Workplace, form: DraftForm): Promise<PricedLines | undefined> {
  try {
    const lines = lineInputs(form);
    if (lines.length === 0) return undefined;
    const { organizationId } = place;
    const asked = { organizationId, lines, pricesIncludeVat: form.pricesIncludeVat === 'yes' || undefined };
    return await peers.invoices.priceLines(asked, place.call());
  } catch (error) {
    if (error instanceof AppError && error.kind === 'invalid') return undefined;
    throw error;
  }
}

interface Shown {
  readonly form: DraftForm;
  readonly hidden: Readonly<Record<string, string>>;
  readonly faults: Faults;
  readonly draft?: Invoice;
}

async function showEditor(peers: Peers, place: Workplace, response: Response, shown: Shown): Promise<void> {
  const { organizationId } = place;
  const { form, faults, hidden, draft } = shown;
  const [{ customers }, { products }, totals] = await Promise.all([
    peers.customers.listCustomers({ organizationId, limit: CHOICES }, place.call()),
    peers.products.listProducts({ organizationId, limit: CHOICES }, place.call()),
    priced(peers, place, form),
  ]);
  // A customer who is not among the newest is still the draft's.
  const isListed = form.customerId === '' || customers.some(({ id }) => id === form.customerId);
  const others = isListed
    ? []
    : [await peers.customers.getCustomer({ organizationId, customerId: form.customerId }, place.call())];
  const view = draftView(place, { form, faults, hidden, draft, customers: [...others, ...customers], products });
  showTemplate(response, place, 'draft', {
    ...view,
    page: { ...view.page, faults: faultList(faults), notice: faults.notice },
    totals: totalsView(place, totals),
  });
}

import { randomUUID } from 'node:crypto';
import type { Request, Response } from 'express';
import { InvoiceStatus, type Invoice } from '@invoicing/contracts/invoicing/billing/v1/invoices';
import { AppError, notFoundError } from '@invoicing/errors';
import { isUuid } from '@invoicing/rules';
import { customersFor, priced, productsFor, withPressedProduct } from '../editor/choices';
import { linked, type NoticeBlock } from '../pages/blocks';
import { faultList, fieldOf, noFaults, operationOf, submit, type Faults } from '../pages/form-request';
import { idOf } from '../pages/list-request';
import { showFragment, showTemplate, type Workplace } from '../pages/visit';
import type { AddPart, Part } from '../pages/workplace-routes';
import type { Peers } from '../peers-client';
import { findInvoice } from './find-invoice';
import { conflictTable, differencesOf, type Difference } from './draft-conflict';
import { blankDraft, draftChange, draftRequest, formLineOf, formOf, typedDraft, type DraftForm } from './draft-form';
import { draftView, totalsSection } from './draft-view';
import { customerNames } from './invoice-table';

/** The editor of drafts: made, changed, with totals that the server computes. Nothing is issued here. */
export const draftRoutes =
  (peers: Peers): AddPart =>
  (part) => {
    makeDrafts(peers, part);
    changeDrafts(peers, part);
    answerScript(peers, part);
  };

/** A new draft. */
function makeDrafts(peers: Peers, part: Part): void {
  part.get(
    '/invoices/new',
    async (place, request, response) => {
      const { customer } = request.query;
      const form = blankDraft(typeof customer === 'string' && isUuid(customer) ? customer : '');
      await showEditor(peers, place, response, { form, hidden: { operation: randomUUID() }, faults: noFaults });
    },
    'invoices.write',
  );

  part.post(
    '/invoices/new',
    async (place, request, response) => {
      const operation = operationOf(request);
      const form = await pressed(peers, place, request);
      const again = (faults: Faults) => showEditor(peers, place, response, { form, hidden: { operation }, faults });
      if (!isSaved(request)) return again(noFaults);
      return submit(
        place,
        response,
        async () => {
          const { organizationId } = place;
          const { id } = await peers.invoices.createInvoice(draftRequest(organizationId, form), place.call(operation));
          // The same form again, changed by who came back to it: that is a change of the draft that it made.
          const made = await findDraft(peers, place, id);
          if ((await compared(peers, place, made, form)).length === 0) return afterSave(place, id, request);
          const change = draftChange(organizationId, id, form, made.revision ?? 0);
          await peers.invoices.updateDraft(change, place.call());
          return afterSave(place, id, request);
        },
        (faults) => again(atFormLines(faults, form)),
      );
    },
    'invoices.write',
  );
}

/** A draft that is there. */
function changeDrafts(peers: Peers, part: Part): void {
  part.get(
    '/invoices/:id/edit',
    async (place, request, response) => {
      const draft = await findInvoice(peers, place, request);
      if (draft.status !== InvoiceStatus.DRAFT) return toIssued(place, draft, response);
      const hidden = { revision: String(draft.revision ?? 0) };
      return showEditor(peers, place, response, {
        form: formOf(draft, place.language),
        hidden,
        faults: noFaults,
        draft,
      });
    },
    'invoices.write',
  );

  part.post(
    '/invoices/:id/edit',
    async (place, request, response) => {
      const draft = await findInvoice(peers, place, request);
      if (draft.status !== InvoiceStatus.DRAFT) return toIssued(place, draft, response);
      const form = await pressed(peers, place, request);
      const seen = Number(fieldOf(request, 'revision')) || 0;
      const again = async (faults: Faults): Promise<void> => {
        // Refused because of a later revision: the next save is meant for that one, by who has seen what it says.
        const latest = faults.notice ? await findDraft(peers, place, draft.id) : draft;
        const revision = faults.notice ? (latest.revision ?? 0) : seen;
        const differences = revision === seen ? [] : await compared(peers, place, latest, form);
        const hidden = { revision: String(revision) };
        await showEditor(peers, place, response, { form, hidden, faults, draft, differences });
      };
      if (!isSaved(request)) return again(noFaults);
      return submit(
        place,
        response,
        async () => {
          await saveDraft(peers, place, draft, form, seen);
          return afterSave(place, draft.id, request);
        },
        (faults) => again(atFormLines(faults, form)),
      );
    },
    'invoices.write',
  );
}

/** What the script asks for while somebody types; without it the button "Recalculate" does the same. */
function answerScript(peers: Peers, part: Part): void {
  part.post(
    '/invoices/totals',
    async (place, request, response) =>
      showFragment(response, place, 'section', {
        section: totalsSection(place, await priced(peers, place, typedDraft(request))),
      }),
    'invoices.write',
  );
}

const SAVING = ['save', 'issue', 'preview'];
const isSaved = (request: Request): boolean => SAVING.includes(fieldOf(request, 'press'));

/** What was typed, and what its buttons did to it. */
const pressed = (peers: Peers, place: Workplace, request: Request): Promise<DraftForm> =>
  withPressedProduct(peers, place, request, typedDraft(request));

const afterSave = ({ at }: Workplace, id: string, request: Request): string => {
  const press = fieldOf(request, 'press');
  if (press === 'preview') return at(`invoices/${id}/edit#preview`);
  return at(`invoices/${id}${press === 'issue' ? '/issue' : '?done=yes'}`);
};

/** Saves a draft that is still as it was seen. The same form sent twice finds itself there: that is no conflict. */
async function saveDraft(peers: Peers, place: Workplace, draft: Invoice, form: DraftForm, seen: number): Promise<void> {
  try {
    await peers.invoices.updateDraft(draftChange(place.organizationId, draft.id, form, seen), place.call());
  } catch (error) {
    const isOlder = error instanceof AppError && error.code === 'revision_conflict';
    if (!isOlder) throw error;
    const latest = await findDraft(peers, place, draft.id);
    if ((await compared(peers, place, latest, form)).length > 0) throw error;
  }
}

/** What a draft says otherwise than a form. */
async function compared(peers: Peers, place: Workplace, latest: Invoice, form: DraftForm): Promise<Difference[]> {
  const [names, own] = await Promise.all([customerNames(peers, place, [latest, form]), priced(peers, place, form)]);
  return differencesOf(place, latest, { form, lines: own?.lines ?? [] }, names);
}

/** A draft; what is issued already has no editor. */
export async function findDraft(peers: Peers, place: Workplace, id: unknown): Promise<Invoice> {
  const { organizationId } = place;
  const draft = await peers.invoices.getInvoice({ organizationId, invoiceId: idOf(id) }, place.call());
  if (draft.status !== InvoiceStatus.DRAFT) throw notFoundError('the draft');
  return draft;
}

/** Somebody issued it meanwhile: its page says so. */
export const toIssued = ({ at }: Workplace, { id }: Invoice, response: Response): void =>
  response.redirect(303, at(`invoices/${id}?issued=yes`));

/** Faults of lines that were sent, at the lines of the form: blank ones are not sent. */
export const atFormLines = (faults: Faults, form: Pick<DraftForm, 'lines'>): Faults => ({
  ...faults,
  fields: Object.fromEntries(
    Object.entries(faults.fields).map(([name, message]) => {
      const [, index, field] = /^lines\.(\d+)\.(\w+)$/.exec(name) ?? [];
      if (index !== undefined) return [`lines.${formLineOf(form, Number(index))}.${field}`, message];
      return [
        name.replace(/^period\.(from|to)$/, (_all, end: string) => (end === 'to' ? 'periodTo' : 'periodFrom')),
        message,
      ];
    }),
  ),
});

interface Shown {
  readonly form: DraftForm;
  readonly hidden: Readonly<Record<string, string>>;
  readonly faults: Faults;
  readonly draft?: Invoice;
  readonly differences?: readonly Difference[];
}

async function showEditor(peers: Peers, place: Workplace, response: Response, shown: Shown): Promise<void> {
  const { form, faults, draft, differences = [] } = shown;
  const [customers, products, totals] = await Promise.all([
    customersFor(peers, place, form),
    productsFor(peers, place, form),
    priced(peers, place, form),
  ]);
  const view = draftView(place, { ...shown, draft, choices: { ...customers, ...products } });
  const isConflict = differences.length > 0;
  const { t, at } = place;
  const notice: NoticeBlock | undefined = isConflict
    ? { tone: 'bad', title: t.conflictTitle, text: t.conflictCompare }
    : faults.notice;
  showTemplate(response, place, 'editor', {
    ...view,
    page: { ...view.page, faults: faultList(faults), notice },
    live: totalsSection(place, totals),
    conflict: isConflict && {
      table: conflictTable(place, differences),
      takeTheirs: linked(t.takeTheirs, at(`invoices/${draft?.id ?? ''}/edit`)),
    },
  });
}

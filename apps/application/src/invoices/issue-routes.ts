import { randomUUID } from 'node:crypto';
import {
  CreateInvoiceRequest,
  IssueInvoiceRequest,
  type Invoice,
} from '@invoicing/contracts/invoicing/billing/v1/invoices';
import { plain, type PageBlock } from '../pages/blocks';
import { day, money } from '../pages/format';
import { noFaults, operationOf, submit, type Faults } from '../pages/form-request';
import { idOf } from '../pages/list-request';
import { fill } from '../pages/texts';
import { show, type Workplace } from '../pages/visit';
import type { AddPart, Part } from '../pages/workplace-routes';
import type { Peers } from '../peers-client';
import { findDraft } from './draft-routes';

/** What becomes of a draft: it is issued, or deleted; and any invoice becomes a draft again, as a copy. */
export const issueRoutes =
  (peers: Peers): AddPart =>
  (part) => {
    issueDrafts(peers, part);
    deleteAndCopy(peers, part);
  };

/** Issued, after a look at what that means. */
function issueDrafts(peers: Peers, part: Part): void {
  part.get(
    '/invoices/:id/issue',
    async (place, request, response) => {
      const draft = await findDraft(peers, place, request);
      show(response, place, issuePage(place, draft, await recipientOf(peers, place, draft), noFaults));
    },
    'invoices.issue',
  );

  part.post(
    '/invoices/:id/issue',
    async (place, request, response) => {
      const { organizationId, at } = place;
      const invoiceId = idOf(request.params['id']);
      return submit(
        place,
        response,
        async () => {
          // Asked again it answers the same document: a second press issues nothing twice.
          await peers.invoices.issueInvoice(
            IssueInvoiceRequest.fromPartial({ organizationId, invoiceId }),
            place.call(),
          );
          return `${at(`invoices/${invoiceId}`)}?done=yes`;
        },
        async (faults) => {
          const draft = await findDraft(peers, place, request);
          const page = issuePage(place, draft, await recipientOf(peers, place, draft), faults);
          show(response, place, page, response.statusCode);
        },
      );
    },
    'invoices.issue',
  );
}

/** Deleted, or copied. */
function deleteAndCopy(peers: Peers, part: Part): void {
  part.get(
    '/invoices/:id/delete',
    async (place, request, response) => {
      const { t, at } = place;
      const draft = await findDraft(peers, place, request);
      show(response, place, {
        title: t.deleteDraft,
        intro: t.deleteDraftText,
        back: { label: draft.number, href: at(`invoices/${draft.id}`) },
        isNarrow: true,
        sections: [{ forms: [{ action: at(`invoices/${draft.id}/delete`), submit: t.deleteDraft, tone: 'danger' }] }],
      });
    },
    'invoices.write',
  );

  part.post(
    '/invoices/:id/delete',
    async (place, request, response) => {
      const { organizationId, at } = place;
      await peers.invoices.deleteDraft({ organizationId, invoiceId: idOf(request.params['id']) }, place.call());
      response.redirect(303, at('invoices'));
    },
    'invoices.write',
  );

  part.post(
    '/invoices/:id/copy',
    async (place, request, response) => {
      const { organizationId, at } = place;
      const invoiceId = idOf(request.params['id']);
      const original = await peers.invoices.getInvoice({ organizationId, invoiceId }, place.call());
      const made = await peers.invoices.createInvoice(copyOf(original), place.call(operationOf(request)));
      response.redirect(303, at(`invoices/${made.id}/edit`));
    },
    'invoices.write',
  );
}

/** The button that copies; each showing of the page makes one copy at most. */
export const copyForm = ({ at, t }: Workplace, invoiceId: string) => ({
  action: at(`invoices/${invoiceId}/copy`),
  submit: t.copy,
  tone: '' as const,
  hidden: { operation: randomUUID() },
});

const copyOf = ({ organizationId, customerId, profileId, lines, pricesIncludeVat, reference, note }: Invoice) =>
  CreateInvoiceRequest.fromPartial({
    organizationId,
    customerId,
    profileId: profileId || undefined,
    lines: lines.map(({ description, quantity, unitPriceCents, vatTreatment, productId, unit, discountBps }) => ({
      description,
      quantity,
      unitPriceCents,
      vatTreatment,
      productId,
      unit: unit || undefined,
      discountBps,
    })),
    pricesIncludeVat,
    reference,
    note,
    send: false,
  });

/** The address that the customer has now: what is issued goes there. */
async function recipientOf(peers: Peers, place: Workplace, { customerId }: Invoice): Promise<string> {
  const { organizationId } = place;
  const { details } = await peers.customers.getCustomer({ organizationId, customerId }, place.call());
  return details?.email ?? '';
}

function issuePage(place: Workplace, draft: Invoice, recipient: string, faults: Faults): PageBlock {
  const { t, at, language } = place;
  const own = Object.entries(faults.fields).map(([field, message]) => `${field}: ${message}`);
  return {
    title: t.issueTitle,
    back: { label: draft.number, href: at(`invoices/${draft.id}`) },
    notice: own.length > 0 ? { tone: 'bad', title: t.wrongTitle, text: own.join('; ') } : faults.notice,
    isNarrow: true,
    sections: [
      {
        text: recipient ? fill(t.issueText, { email: recipient }) : t.issueTextNoMail,
        facts: [
          [t.customer, plain(draft.buyer?.companyName || draft.buyer?.name || t.none)],
          [t.date, plain(day(draft.issueDate, language))],
          [t.dueDate, plain(day(draft.dueDate, language) || t.none)],
          [t.totalIncl, plain(money(draft.totals?.inclCents ?? 0, draft.currency, language))],
        ],
        forms: [
          {
            action: at(`invoices/${draft.id}/issue`),
            submit: recipient ? t.issueAndMail : t.issue,
            cancel: at(`invoices/${draft.id}/edit`),
          },
        ],
      },
    ],
  };
}

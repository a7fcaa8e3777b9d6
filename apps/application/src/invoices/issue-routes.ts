import { randomUUID } from 'node:crypto';
import type { Request, Response } from 'express';
import {
  CreateInvoiceRequest,
  InvoiceStatus,
  IssueInvoiceRequest,
  type Invoice,
} from '@invoicing/contracts/invoicing/billing/v1/invoices';
import type { IssuePreview } from '@invoicing/contracts/invoicing/billing/v1/previews';
import { plain, type PageBlock } from '../pages/blocks';
import { day, money } from '../pages/format';
import { faultsOf, fieldOf, noFaults, operationOf, submit, type Faults } from '../pages/form-request';
import { idOf } from '../pages/list-request';
import { fill } from '../pages/texts';
import { warningsNotice } from '../pages/warnings';
import { show, type Workplace } from '../pages/visit';
import type { AddPart, Part } from '../pages/workplace-routes';
import type { Peers } from '../peers-client';
import { findInvoice } from './find-invoice';
import { findDraft, toIssued } from './draft-routes';
import { customerNames } from './invoice-table';

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
      const draft = await findOrLeave(peers, place, request, response);
      if (draft) await showIssue(peers, place, response, draft, noFaults);
    },
    'invoices.issue',
  );

  part.post(
    '/invoices/:id/issue',
    async (place, request, response) => {
      const { organizationId, at } = place;
      const invoiceId = idOf(request.params['id']);
      const revision = Number(fieldOf(request, 'revision')) || undefined;
      return submit(
        place,
        response,
        async () => {
          // Asked again it answers the same document: a second press issues nothing twice. What was changed since it was shown is not
          // issued unseen.
          const asked = IssueInvoiceRequest.fromPartial({ organizationId, invoiceId, revision });
          await peers.invoices.issueInvoice(asked, place.call());
          return `${at(`invoices/${invoiceId}`)}?done=yes`;
        },
        async (faults) => {
          const draft = await findOrLeave(peers, place, request, response);
          if (draft) await showIssue(peers, place, response, draft, faults);
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
      const draft = await findDraft(peers, place, request.params['id']);
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
      const original = await findInvoice(peers, place, request);
      const made = await peers.invoices.createInvoice(copyOf(original), place.call(operationOf(request)));
      response.redirect(303, place.at(`invoices/${made.id}/edit`));
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

/** A draft; who asks for what was issued meanwhile is shown that. */
async function findOrLeave(
  peers: Peers,
  place: Workplace,
  request: Request,
  response: Response,
): Promise<Invoice | undefined> {
  const found = await findInvoice(peers, place, request);
  if (found.status === InvoiceStatus.DRAFT) return found;
  toIssued(place, found, response);
  return undefined;
}

/** What issuing comes to, with the number that it takes; or why it cannot be issued as it is. */
async function showIssue(
  peers: Peers,
  place: Workplace,
  response: Response,
  draft: Invoice,
  faults: Faults,
): Promise<void> {
  const { organizationId } = place;
  const [names, tried] = await Promise.all([
    customerNames(peers, place, [draft]),
    peers.previews.previewIssue({ organizationId, invoiceId: draft.id }, place.call()).catch(refusalOf(place)),
  ]);
  const page = issuePage(place, draft, names.get(draft.customerId) ?? place.t.none, tried, faults);
  show(response, place, page, response.statusCode);
}

/** What is wrong is shown; anything else is thrown on. */
const refusalOf =
  (place: Workplace) =>
  (error: unknown): Faults => {
    const faults = faultsOf(place, error);
    if (!faults) throw error;
    return faults;
  };

function issuePage(
  place: Workplace,
  draft: Invoice,
  customer: string,
  tried: IssuePreview | Faults,
  refused: Faults,
): PageBlock {
  const { t, at, language } = place;
  const here = at(`invoices/${draft.id}`);
  const page = { title: t.issueTitle, back: { label: draft.number, href: here }, isNarrow: true };
  if (!('number' in tried)) {
    const wrong = Object.values(tried.fields).join('; ');
    return {
      ...page,
      notice: wrong ? { tone: 'bad', title: t.issueWrong, text: wrong } : tried.notice,
      sections: [{ actions: [{ label: t.edit, href: `${here}/edit`, isPrimary: true }] }],
    };
  }
  const { number, recipient: email, warnings } = tried;
  const isChanged = refused.notice !== undefined;
  return {
    ...page,
    notice: isChanged ? { tone: 'bad', title: t.issueChangedTitle, text: t.issueChanged } : warningsNotice(t, warnings),
    sections: [
      {
        text: fill([t.issueNumber, email ? t.issueMailed : t.issueNotMailed, t.issueFinal].join(' '), {
          number,
          email,
        }),
        facts: [
          [t.number, plain(number)],
          [t.customer, plain(customer)],
          [t.email, plain(email || t.none)],
          [t.date, plain(day(tried.issueDate, language))],
          [t.dueDate, plain(day(tried.dueDate, language))],
          [t.totalIncl, plain(money(tried.totals?.inclCents ?? 0, draft.currency, language))],
          ...(tried.post ? [[t.post, plain(t.postYes)] as const] : []),
        ],
        forms: [
          {
            action: `${here}/issue`,
            submit: email ? t.issueAndMail : t.issue,
            cancel: `${here}/edit`,
            hidden: { revision: String(tried.revision) },
          },
        ],
      },
    ],
  };
}

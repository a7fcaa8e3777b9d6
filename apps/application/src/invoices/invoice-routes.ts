import {
  DocumentFormat,
  InvoiceKind,
  InvoiceStatus,
  type Invoice,
} from '@invoicing/contracts/invoicing/billing/v1/invoices';
import { DraftFormat } from '@invoicing/contracts/invoicing/billing/v1/previews';
import type { Request } from 'express';
import type { NoticeBlock } from '../pages/blocks';
import { unlessAway } from '../pages/error-page';
import { doneNotice, idOf } from '../pages/list-request';
import { show, type Workplace } from '../pages/visit';
import type { AddPart, Part } from '../pages/workplace-routes';
import type { Peers } from '../peers-client';
import { findInvoice } from './find-invoice';
import type { Happened } from './invoice-history';
import { invoicePage } from './invoice-page';
import { customerNames } from './invoice-table';

const MAILS_SHOWN = 50;

/** One invoice: its account, what became of it, and its document. */
export const invoiceRoutes =
  (peers: Peers): AddPart =>
  (part) => {
    part.get('/invoices/:id', async (place, request, response) => {
      const [invoice, sent] = await Promise.all([findInvoice(peers, place, request), sentOf(peers, place, request)]);
      const [names, books] = await Promise.all([
        // A document that was issued says itself whom it is for.
        customerNames(peers, place, invoice.status === InvoiceStatus.DRAFT ? [invoice] : []),
        booksOf(peers, place, invoice),
      ]);
      const page = invoicePage(place, { invoice, customer: names.get(invoice.customerId), ...books, ...sent });
      show(response, place, { ...page, notice: noticeOf(place, request) });
    });
    documents(peers, part);
  };

function documents(peers: Peers, part: Part): void {
  // The suffix gives the gateway more patience: documents are made when they are first asked for.
  part.get('/invoices/:id/document.pdf', async (place, request, response) => {
    const invoiceId = idOf(request.params['id']);
    const asked = { organizationId: place.organizationId, invoiceId, format: DocumentFormat.PDF };
    const { content, contentType, fileName } = await peers.invoices.renderInvoice(asked, place.call());
    response.attachment(fileName).type(contentType).send(Buffer.from(content));
  });

  for (const [path, format] of [
    ['draft.pdf', DraftFormat.PDF],
    ['draft.svg', DraftFormat.SVG],
  ] as const)
    part.get(`/invoices/:id/${path}`, async (place, request, response) => {
      const { organizationId } = place;
      const asked = { organizationId, invoiceId: idOf(request.params['id']), format };
      const { content, contentType, fileName } = await peers.previews.renderDraft(asked, place.call());
      if (format === DraftFormat.PDF) response.attachment(fileName);
      response.type(contentType).send(Buffer.from(content));
    });
}

/** A credit note is an entry in the account of what it credits. */
const booksOf = async (peers: Peers, place: Workplace, { id: invoiceId, status, kind }: Invoice) => {
  const { organizationId } = place;
  return status !== InvoiceStatus.DRAFT && kind === InvoiceKind.INVOICE
    ? peers.accounts.listEntries({ organizationId, invoiceId }, place.call())
    : { entries: [], account: undefined };
};

/**
 * What was sent of a document; asked together with the document, for a draft has nothing. The page does not wait for who sends mail: what
 * cannot be asked is said to be unknown.
 */
async function sentOf(
  peers: Peers,
  place: Workplace,
  request: Request,
): Promise<Pick<Happened, 'mails' | 'letters' | 'peppol'>> {
  if (!place.may('messages.read')) return { mails: [], letters: [], peppol: [] };
  const invoiceId = idOf(request.params['id']);
  const { organizationId } = place;
  const [mails, letters, peppol] = await Promise.all([
    peers.mail.listMail({ organizationId, invoiceId, limit: MAILS_SHOWN }, place.call()).catch(unlessAway),
    peers.letters.listLetters({ organizationId }, place.call()).catch(unlessAway),
    peers.peppol.listDeliveries({ organizationId, invoiceId, limit: MAILS_SHOWN }, place.call()).catch(unlessAway),
  ]);
  return {
    mails: mails?.messages,
    letters: letters?.letters.filter((letter) => letter.invoiceId === invoiceId),
    peppol: peppol?.deliveries,
  };
}

function noticeOf({ t }: Workplace, request: Request): NoticeBlock | undefined {
  if (request.query['issued'] === 'yes') return { tone: 'warning', text: t.issuedMeanwhile };
  if (request.query['mail'] === 'later') return { tone: 'warning', text: t.mailLater };
  return doneNotice(request, t);
}

import { randomUUID } from 'node:crypto';
import type { Request } from 'express';
import { CreditInvoiceRequest, type Invoice } from '@invoicing/contracts/invoicing/billing/v1/invoices';
import type { CreditPreview } from '@invoicing/contracts/invoicing/billing/v1/previews';
import { validationError } from '@invoicing/errors';
import type { PageBlock } from '../pages/blocks';
import { money } from '../pages/format';
import { faultList, faultsOf, fieldOf, noFaults, operationOf, submit, type Faults } from '../pages/form-request';
import { fill } from '../pages/texts';
import { typedDecimal } from '../pages/typed-amount';
import { show, type Workplace } from '../pages/visit';
import type { AddPart } from '../pages/workplace-routes';
import type { Peers } from '../peers-client';
import { findInvoice } from './find-invoice';
import { linesSection } from './invoice-page';

/** Credit notes: of the whole invoice, or of some quantity of its lines. */
export const creditRoutes =
  (peers: Peers): AddPart =>
  (part) => {
    const write = 'invoices.credit';

    part.get(
      '/invoices/:id/credit',
      async (place, request, response) => {
        const invoice = await findInvoice(peers, place, request);
        show(response, place, creditPage(place, invoice, noFaults, { request, operation: randomUUID() }));
      },
      write,
    );

    part.post(
      '/invoices/:id/credit',
      async (place, request, response) => {
        const invoice = await findInvoice(peers, place, request);
        const operation = operationOf(request);
        const form = (faults: Faults) =>
          show(response, place, creditPage(place, invoice, faults, { request, operation }), response.statusCode);
        if (fieldOf(request, 'step') === 'edit') return form(noFaults);
        if (fieldOf(request, 'step') === 'preview') {
          const tried = await tryOut(peers, place, request, invoice);
          if ('fields' in tried) return form(tried);
          return show(response, place, previewPage(place, invoice, tried, { request, operation }));
        }
        return submit(
          place,
          response,
          async () => {
            const asked = creditRequest(place, request, invoice);
            const made = await peers.invoices.creditInvoice(asked, place.call(operation));
            return `${place.at(`invoices/${made.id}`)}?done=yes`;
          },
          form,
        );
      },
      write,
    );
  };

const creditRequest = ({ organizationId }: Workplace, request: Request, invoice: Invoice): CreditInvoiceRequest =>
  CreditInvoiceRequest.fromPartial({
    organizationId,
    invoiceId: invoice.id,
    lines: linesOf(request, invoice),
    reason: fieldOf(request, 'reason'),
  });

/** What it would give back, or what is wrong with it. */
async function tryOut(
  peers: Peers,
  place: Workplace,
  request: Request,
  invoice: Invoice,
): Promise<CreditPreview | Faults> {
  try {
    return await peers.previews.previewCredit(creditRequest(place, request, invoice), place.call());
  } catch (error) {
    const faults = faultsOf(place, error);
    if (!faults) throw error;
    return faults;
  }
}

/** No line: the whole invoice. Throws `validation` at the quantity that is none. */
function linesOf(request: Request, { lines }: Invoice): { line: number; quantity: string }[] {
  const faults: { path: string; message: string }[] = [];
  const asked = lines.flatMap((_line, line) => {
    const typed = fieldOf(request, `quantity.${line}`);
    if (typed === '') return [];
    const quantity = typedDecimal(typed);
    if (quantity === undefined) faults.push({ path: `/quantity/${line}`, message: 'must be a decimal number' });
    return quantity === undefined || Number(quantity) === 0 ? [] : [{ line, quantity }];
  });
  if (faults.length > 0) throw validationError(faults);
  return asked;
}

function creditPage(
  place: Workplace,
  invoice: Invoice,
  faults: Faults,
  { request, operation }: { readonly request: Request; readonly operation: string },
): PageBlock {
  const { t, at, language } = place;
  const back = at(`invoices/${invoice.id}`);
  return {
    title: t.credit,
    intro: t.creditText,
    back: { label: invoice.number, href: back },
    notice: faults.notice,
    faults: faultList(faults),
    isNarrow: true,
    sections: [
      {
        forms: [
          {
            action: `${back}/credit`,
            submit: t.creditPreview,
            cancel: back,
            hidden: { operation, step: 'preview' },
            fields: [
              ...invoice.lines.map((line, index) => ({
                name: `quantity.${index}`,
                label: line.description,
                value: fieldOf(request, `quantity.${index}`),
                hint: `${line.quantity} × ${money(line.unitPriceCents, invoice.currency, language)}`,
                inputMode: 'decimal' as const,
                maxLength: 30,
                fault: faults.fields[`quantity.${index}`] ?? faults.fields[`lines.${index}.quantity`],
              })),
              {
                name: 'reason',
                label: t.reason,
                value: fieldOf(request, 'reason'),
                maxLength: 200,
                fault: faults.fields['reason'],
              },
            ],
          },
        ],
      },
    ],
  };
}

/** What the credit note gives back, before it is made; the same operation makes it, once. */
function previewPage(
  place: Workplace,
  invoice: Invoice,
  { number, recipient: email, lines, totals }: CreditPreview,
  { request, operation }: { readonly request: Request; readonly operation: string },
): PageBlock {
  const { t, at } = place;
  const back = at(`invoices/${invoice.id}`);
  const typed = ['reason', ...invoice.lines.map((_line, index) => `quantity.${index}`)];
  const hidden = { operation, ...Object.fromEntries(typed.map((name) => [name, fieldOf(request, name)])) };
  const said = [t.issueNumber, email ? t.issueMailed : t.issueNotMailed, t.creditFinal].join(' ');
  return {
    title: t.credit,
    back: { label: invoice.number, href: back },
    sections: [
      { ...linesSection(place, { lines, totals, currency: invoice.currency }), title: t.creditGivesBack },
      {
        text: fill(said, { number, email }),
        forms: [
          { action: `${back}/credit`, submit: t.creditSubmit, tone: 'danger', hidden: { ...hidden, step: 'issue' } },
          { action: `${back}/credit`, submit: t.creditChange, tone: '', hidden: { ...hidden, step: 'edit' } },
        ],
      },
    ],
  };
}

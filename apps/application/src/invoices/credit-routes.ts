import { randomUUID } from 'node:crypto';
import type { Request } from 'express';
import { CreditInvoiceRequest, type Invoice } from '@invoicing/contracts/invoicing/billing/v1/invoices';
import { validationError } from '@invoicing/errors';
import type { PageBlock } from '../pages/blocks';
import { money } from '../pages/format';
import { faultList, fieldOf, noFaults, operationOf, submit, type Faults } from '../pages/form-request';
import { idOf } from '../pages/list-request';
import { typedDecimal } from '../pages/typed-amount';
import { show, type Workplace } from '../pages/visit';
import type { AddPart } from '../pages/workplace-routes';
import type { Peers } from '../peers-client';

/** Credit notes: of the whole invoice, or of some quantity of its lines. */
export const creditRoutes =
  (peers: Peers): AddPart =>
  (part) => {
    const find = (place: Workplace, request: Request): Promise<Invoice> => {
      const invoiceId = idOf(request.params['id']);
      return peers.invoices.getInvoice({ organizationId: place.organizationId, invoiceId }, place.call());
    };
    const write = 'invoices.credit';

    part.get(
      '/invoices/:id/credit',
      async (place, request, response) => {
        const invoice = await find(place, request);
        show(response, place, creditPage(place, invoice, noFaults, { request, operation: randomUUID() }));
      },
      write,
    );

    part.post(
      '/invoices/:id/credit',
      async (place, request, response) => {
        const invoice = await find(place, request);
        const operation = operationOf(request);
        return submit(
          place,
          response,
          async () => {
            const { organizationId, at } = place;
            const asked = {
              organizationId,
              invoiceId: invoice.id,
              lines: linesOf(request, invoice),
              reason: fieldOf(request, 'reason'),
            };
            const made = await peers.invoices.creditInvoice(
              CreditInvoiceRequest.fromPartial(asked),
              place.call(operation),
            );
            return `${at(`invoices/${made.id}`)}?done=yes`;
          },
          (faults) =>
            show(response, place, creditPage(place, invoice, faults, { request, operation }), response.statusCode),
        );
      },
      write,
    );
  };

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
            submit: t.creditSubmit,
            tone: 'danger',
            cancel: back,
            hidden: { operation },
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

import { randomUUID } from 'node:crypto';
import type { Invoice } from '@invoicing/contracts/invoicing/billing/v1/invoices';
import { ResendInvoiceRequest } from '@invoicing/contracts/invoicing/billing/v1/invoices';
import type { FormBlock, PageBlock } from '../pages/blocks';
import { faultList, fieldOf, noFaults, operationOf, submit, type Faults } from '../pages/form-request';
import { fill } from '../pages/texts';
import { show, type Workplace } from '../pages/visit';
import type { AddPart, Part } from '../pages/workplace-routes';
import type { Peers } from '../peers-client';
import { findInvoice } from './find-invoice';

/** An issued document goes out once more: by e-mail, or as a letter. */
export const sendRoutes =
  (peers: Peers): AddPart =>
  (part) => {
    resend(peers, part);
    post(peers, part);
  };

function resend(peers: Peers, part: Part): void {
  part.get(
    '/invoices/:id/resend',
    async (place, request, response) => {
      const invoice = await findInvoice(peers, place, request);
      const to = invoice.buyer?.email ?? '';
      show(response, place, resendPage(place, invoice, to, noFaults, randomUUID()));
    },
    'invoices.issue',
  );

  part.post(
    '/invoices/:id/resend',
    async (place, request, response) => {
      const invoice = await findInvoice(peers, place, request);
      const operation = operationOf(request);
      const to = fieldOf(request, 'to');
      return submit(
        place,
        response,
        async () => {
          const { organizationId, at } = place;
          const asked = ResendInvoiceRequest.fromPartial({ organizationId, invoiceId: invoice.id, to });
          const { emailed } = await peers.invoices.resendInvoice(asked, place.call(operation));
          return `${at(`invoices/${invoice.id}`)}?${emailed ? 'done=yes' : 'mail=later'}`;
        },
        (faults) => show(response, place, resendPage(place, invoice, to, faults, operation), response.statusCode),
      );
    },
    'invoices.issue',
  );
}

function post(peers: Peers, part: Part): void {
  part.get(
    '/invoices/:id/post',
    async (place, request, response) =>
      show(response, place, postPage(place, await findInvoice(peers, place, request), noFaults, randomUUID())),
    'invoices.issue',
  );

  part.post(
    '/invoices/:id/post',
    async (place, request, response) => {
      const invoice = await findInvoice(peers, place, request);
      const operation = operationOf(request);
      return submit(
        place,
        response,
        async () => {
          const { organizationId, at } = place;
          await peers.invoices.postInvoice({ organizationId, invoiceId: invoice.id }, place.call(operation));
          return `${at(`invoices/${invoice.id}`)}?done=yes#sent`;
        },
        (faults) => show(response, place, postPage(place, invoice, faults, operation), response.statusCode),
      );
    },
    'invoices.issue',
  );
}

function resendPage(place: Workplace, invoice: Invoice, to: string, faults: Faults, operation: string): PageBlock {
  const { t } = place;
  const form = {
    submit: t.resend,
    hidden: { operation },
    fields: [
      {
        ...{ name: 'to', label: t.email, value: to, type: 'email' as const, inputMode: 'email' as const },
        ...{ required: true, maxLength: 254, hint: t.resendHint, fault: faults.fields['to'] },
      },
    ],
  };
  return sendPage(place, invoice, { title: t.resend, intro: t.resendText, path: 'resend' }, form, faults);
}

function postPage(place: Workplace, invoice: Invoice, faults: Faults, operation: string): PageBlock {
  const { t } = place;
  const {
    name = '',
    companyName = '',
    addressLine1 = '',
    postalCode = '',
    city = '',
    countryCode = '',
  } = invoice.buyer ?? {};
  const address = [companyName || name, addressLine1, `${postalCode} ${city}`.trim(), countryCode];
  const intro = fill(t.postText, { address: address.filter(Boolean).join(', ') });
  const form = { submit: t.postNow, hidden: { operation } };
  return sendPage(place, invoice, { title: t.postLetter, intro, path: 'post' }, form, faults);
}

function sendPage(
  { at }: Workplace,
  { id, number }: Invoice,
  { path, ...page }: { readonly title: string; readonly intro: string; readonly path: string },
  form: Pick<FormBlock, 'submit' | 'hidden' | 'fields'>,
  faults: Faults,
): PageBlock {
  const back = at(`invoices/${id}`);
  return {
    ...page,
    back: { label: number, href: back },
    notice: faults.notice,
    faults: faultList(faults),
    isNarrow: true,
    sections: [{ forms: [{ ...form, action: `${back}/${path}`, cancel: back }] }],
  };
}

import type { Request, Response } from 'express';
import type { BankLine } from '@invoicing/contracts/invoicing/billing/v1/bank_statements';
import { InvoiceKind, InvoiceStatus, ListInvoicesRequest } from '@invoicing/contracts/invoicing/billing/v1/invoices';
import { validationError, type Violation } from '@invoicing/errors';
import { isUuid } from '@invoicing/rules';
import { fieldOf, noFaults, operationOf, submit, type Faults } from '../pages/form-request';
import { doneNotice, idOf } from '../pages/list-request';
import { typedCents } from '../pages/typed-amount';
import { show, type Workplace } from '../pages/visit';
import type { AddPart, Part } from '../pages/workplace-routes';
import type { Peers } from '../peers-client';
import { PART_FIELDS, linePage, type TypedPart } from './bank-line-page';

const ACTION = 'banking.write';
/** As many documents of one number as are looked at: a number is one document's, but a customer's name may begin like it. */
const LOOKED_AT = 20;

/** What a person says that a line is for; and takes back. */
export const bankAnswerRoutes =
  (peers: Peers): AddPart =>
  (part) => {
    part.get(
      '/bank/lines/:id',
      async (place, request, response) => {
        const line = await find(peers, place, request);
        show(response, place, linePage(place, line, { faults: noFaults, notice: doneNotice(request, place.t) }));
      },
      ACTION,
    );
    answers(peers, part);
  };

function answers(peers: Peers, part: Part): void {
  const { bankStatements } = peers;
  type Change = (place: Workplace, request: Request, lineId: string) => Promise<unknown>;
  const changes: Readonly<Record<string, Change>> = {
    // One of the candidates.
    choose: (place, request, lineId) => {
      const invoiceId = fieldOf(request, 'invoice');
      const parts = isUuid(invoiceId) ? [{ invoiceId, amountCents: undefined }] : [];
      return answer(place, request, lineId, parts, '');
    },
    // Others, by their numbers.
    answer: async (place, request, lineId) =>
      answer(place, request, lineId, await typedParts(peers, place, typedOf(request)), ''),
    none: (place, request, lineId) => {
      const note = fieldOf(request, 'note');
      if (note === '') throw validationError([{ path: '/note', message: 'is required' }]);
      return answer(place, request, lineId, [], note);
    },
    undo: ({ organizationId, call }, request, lineId) =>
      bankStatements.undoBankLine(
        { organizationId, lineId, reason: fieldOf(request, 'reason') },
        call(operationOf(request)),
      ),
  };
  const answer = (
    { organizationId, call }: Workplace,
    request: Request,
    lineId: string,
    parts: { readonly invoiceId: string; readonly amountCents: number | undefined }[],
    note: string,
  ) => bankStatements.answerBankLine({ organizationId, lineId, parts, note }, call(operationOf(request)));

  for (const [path, change] of Object.entries(changes))
    part.post(
      `/bank/lines/:id/${path}`,
      (place, request, response) =>
        submit(
          place,
          response,
          async () => {
            const lineId = idOf(request.params['id']);
            await change(place, request, lineId);
            return `${place.at(`bank/lines/${lineId}`)}?done=yes`;
          },
          (faults) => again(peers, place, request, response, faults),
        ),
      ACTION,
    );
}

async function again(peers: Peers, place: Workplace, request: Request, response: Response, faults: Faults) {
  const line = await find(peers, place, request);
  show(response, place, linePage(place, line, { faults, typed: typedOf(request) }), response.statusCode);
}

const find = ({ bankStatements }: Peers, { organizationId, call }: Workplace, request: Request): Promise<BankLine> =>
  bankStatements.getBankLine({ organizationId, lineId: idOf(request.params['id']) }, call());

const typedOf = (request: Request): readonly TypedPart[] =>
  PART_FIELDS.map(({ number, amount }) => ({ number: fieldOf(request, number), amount: fieldOf(request, amount) }));

/** Numbers of invoices and amounts, as they were typed. Throws `validation` at the field of each fault. */
async function typedParts(peers: Peers, place: Workplace, typed: readonly TypedPart[]) {
  const faults: Violation[] = [];
  const parts = await Promise.all(
    typed.map(async ({ number, amount }, index) => {
      const { number: numberField, amount: amountField } = PART_FIELDS[index]!;
      if (number === '' && amount === '') return [];
      const invoiceId = number === '' ? undefined : await invoiceOf(peers, place, number);
      if (invoiceId === undefined) faults.push({ path: `/${numberField}`, message: 'is no invoice of yours' });
      const amountCents = amount === '' ? undefined : typedCents(amount);
      if (amount !== '' && amountCents === undefined)
        faults.push({ path: `/${amountField}`, message: 'must be an amount' });
      return invoiceId === undefined ? [] : [{ invoiceId, amountCents }];
    }),
  );
  const all = parts.flat();
  if (faults.length === 0 && all.length === 0)
    faults.push({ path: `/${PART_FIELDS[0]!.number}`, message: 'is required' });
  if (faults.length > 0) throw validationError(faults);
  return all;
}

/** By the number as it is printed. */
async function invoiceOf(
  { invoices }: Peers,
  { organizationId, call }: Workplace,
  number: string,
): Promise<string | undefined> {
  const asked = { organizationId, text: number.slice(0, 100), kind: InvoiceKind.INVOICE, limit: LOOKED_AT };
  const found = await invoices.listInvoices(ListInvoicesRequest.fromPartial(asked), call());
  const isMeant = (each: { readonly number: string; readonly status: InvoiceStatus }): boolean =>
    each.status !== InvoiceStatus.DRAFT && each.number.toLowerCase() === number.toLowerCase();
  return found.invoices.find(isMeant)?.id;
}

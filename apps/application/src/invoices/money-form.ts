import { randomUUID } from 'node:crypto';
import type { Request, Response } from 'express';
import type { Invoice } from '@invoicing/contracts/invoicing/billing/v1/invoices';
import { validationError } from '@invoicing/errors';
import type { CallContext } from '@invoicing/rpc';
import type { Action } from '@invoicing/rules';
import type { FieldBlock } from '../pages/blocks';
import { faultList, fieldOf, noFaults, operationOf, submit, type Faults } from '../pages/form-request';
import { typedCents } from '../pages/typed-amount';
import { show, type Workplace } from '../pages/visit';
import type { Part } from '../pages/workplace-routes';
import type { Peers } from '../peers-client';
import { findInvoice } from './find-invoice';

/** What was typed, by the name of its field; what was left empty is absent. */
export type Values = Readonly<Partial<Record<string, string>>>;

/** What a money form is about. */
export interface MoneySubject {
  readonly invoice: Invoice;
}

/** A form about the money of one invoice, as its two routes need it. */
export interface MoneyForm<S extends MoneySubject> {
  /** Below the invoice, as `payment`; may have parameters. */
  readonly path: string;
  readonly action: Action;
  /** Also on its button. */
  readonly title: (place: Workplace) => string;
  readonly intro: (place: Workplace, subject: S) => string;
  /** The rest of the subject. Throws `absent` where there is none. */
  readonly find: (place: Workplace, invoice: Invoice, request: Request) => Promise<S>;
  /** As the form opens. Throws `absent` where it makes no sense. */
  readonly values: (place: Workplace, subject: S) => Values;
  readonly fields: (place: Workplace, values: Values, subject: S) => readonly FieldBlock[];
  /** Does it, for the operation of the form: what is sent twice is done once. */
  readonly act: (place: Workplace, subject: S, values: Values, call: CallContext) => Promise<unknown>;
}

/** For a form about nothing but the invoice. */
export const ofInvoice = (_place: Workplace, invoice: Invoice): Promise<MoneySubject> => Promise.resolve({ invoice });

/** The page of a form, and what its button sends. */
export function addMoneyForm<S extends MoneySubject>(peers: Peers, part: Part, form: MoneyForm<S>): void {
  const path = `/invoices/:id/${form.path}`;
  const find = async (place: Workplace, request: Request): Promise<S> =>
    form.find(place, await findInvoice(peers, place, request), request);

  part.get(
    path,
    async (place, request, response) => {
      const subject = await find(place, request);
      const values = form.values(place, subject);
      showForm(response, place, form, subject, { values, faults: noFaults, operation: randomUUID() });
    },
    form.action,
  );

  part.post(
    path,
    async (place, request, response) => {
      const subject = await find(place, request);
      const operation = operationOf(request);
      const values = typedIn(form.fields(place, {}, subject), request);
      return submit(
        place,
        response,
        async () => {
          await form.act(place, subject, values, place.call(operation));
          return `${place.at(`invoices/${subject.invoice.id}`)}?done=yes`;
        },
        (faults) => showForm(response, place, form, subject, { values, faults, operation }),
      );
    },
    form.action,
  );
}

/** Throws `validation` for what is no amount. */
export function amountOf({ amountCents = '' }: Values): number {
  const cents = typedCents(amountCents);
  if (cents === undefined) throw validationError([{ path: '/amountCents', message: 'must be an amount' }]);
  return cents;
}

/** The field that `amountOf` reads. */
export const amountField = (
  { t }: Workplace,
  { amountCents = '' }: Values,
  more: Pick<FieldBlock, 'required' | 'hint'>,
): FieldBlock => ({
  ...{ name: 'amountCents', label: t.amount, value: amountCents, inputMode: 'decimal', maxLength: 30 },
  ...more,
});

const typedIn = (fields: readonly FieldBlock[], request: Request): Values =>
  Object.fromEntries(
    fields.flatMap(({ name }) => (fieldOf(request, name) ? [[name, fieldOf(request, name)] as const] : [])),
  );

interface Typed {
  readonly values: Values;
  readonly faults: Faults;
  readonly operation: string;
}

function showForm<S extends MoneySubject>(
  response: Response,
  place: Workplace,
  form: MoneyForm<S>,
  subject: S,
  { values, faults, operation }: Typed,
): void {
  const { id, number } = subject.invoice;
  const back = place.at(`invoices/${id}`);
  const title = form.title(place);
  const page = {
    ...{ title, intro: form.intro(place, subject), back: { label: number, href: back } },
    ...{ notice: faults.notice, faults: faultList(faults), isNarrow: true },
    sections: [
      {
        forms: [
          {
            ...{ action: place.path, submit: title, cancel: back, hidden: { operation } },
            fields: form
              .fields(place, values, subject)
              .map((field) => ({ ...field, fault: faults.fields[field.name] })),
          },
        ],
      },
    ],
  };
  show(response, place, page, response.statusCode);
}

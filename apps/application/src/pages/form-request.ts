import type { Request, Response } from 'express';
import { AppError, validationError, type Violation } from '@invoicing/errors';
import { isUuid } from '@invoicing/rules';
import type { NoticeBlock } from './blocks';
import { faultText } from './fault-texts';
import type { Workplace } from './visit';

/** A field of a form; what is not one text is empty. */
export function fieldOf(request: Request, name: string): string {
  const value = ((request.body ?? {}) as Record<string, unknown>)[name];
  return typeof value === 'string' ? value.replace(/\r\n/g, '\n').trim() : '';
}

/** The boxes of a name that are ticked. */
export function chosenOf(request: Request, name: string): string[] {
  const value = ((request.body ?? {}) as Record<string, unknown>)[name];
  return [value].flat().filter((each): each is string => typeof each === 'string' && each !== '');
}

/** The same for several; those that are empty are absent. */
export const filledFields = <N extends string>(request: Request, names: readonly N[]): Partial<Record<N, string>> =>
  Object.fromEntries(
    names.flatMap((name) => (fieldOf(request, name) ? [[name, fieldOf(request, name)]] : [])),
  ) as Partial<Record<N, string>>;

/**
 * The operation that a form was made for, when it was shown: a double click, a reload or a retry make one thing, for what they make has
 * its id from here. Throws `validation` when it is no form of ours.
 */
export function operationOf(request: Request): string {
  const operation = fieldOf(request, 'operation');
  if (!isUuid(operation)) throw validationError([{ path: '/operation', message: 'must be a lower-case UUID' }]);
  return operation;
}

/** What is wrong with a form that was sent: beside which field, or with all of it. */
export interface Faults {
  /** By the name of the field. */
  readonly fields: Readonly<Record<string, string>>;
  readonly notice: NoticeBlock | undefined;
}

export const noFaults: Faults = { fields: {}, notice: undefined };

/** For the top of the page: each with the field that it leads to. */
export const faultList = ({ fields }: Faults): readonly { readonly field: string; readonly message: string }[] =>
  Object.entries(fields).map(([field, message]) => ({ field, message }));

/**
 * Does what a form asks for and goes on to where the answer says; when it is refused, shows the form again with what is wrong. A reload
 * of the next page sends nothing again. What is shown once only is the answer itself: `work` then answers a function that shows it.
 * Whatever else goes wrong is thrown.
 */
export async function submit(
  place: Pick<Workplace, 't' | 'language'>,
  response: Response,
  work: () => Promise<string | (() => void)>,
  again: (faults: Faults) => Promise<unknown> | unknown,
): Promise<void> {
  let next: string | (() => void);
  try {
    next = await work();
  } catch (error) {
    const faults = faultsOf(place, error);
    if (!faults) throw error;
    response.status(faults.notice ? 409 : 400);
    await again(faults);
    return;
  }
  if (typeof next === 'string') response.redirect(303, next);
  else next();
}

/** What is wrong with what was asked, for people; undefined when it is nothing that they can mend. */
export function faultsOf({ t, language }: Pick<Workplace, 't' | 'language'>, error: unknown): Faults | undefined {
  if (!(error instanceof AppError)) return undefined;
  if (error.kind === 'invalid') {
    const details = error.details ?? [];
    const fields = details.filter(({ path }) => path !== '');
    const whole = details.filter(({ path }) => path === '');
    const said = whole.length > 0 ? whole.map(({ message }) => faultText(message, language)).join('; ') : '';
    return {
      fields: Object.fromEntries(fields.map((each) => [fieldName(each), faultText(each.message, language)])),
      notice: said ? { tone: 'bad', title: t.faultsTitle, text: said } : undefined,
    };
  }
  if (error.kind === 'conflict' || error.kind === 'busy')
    return { fields: {}, notice: { tone: 'bad', title: t.wrongTitle, text: t.conflictText } };
  if (error.kind === 'blocked' || error.kind === 'exists')
    return { fields: {}, notice: { tone: 'bad', title: t.wrongTitle, text: faultText(error.publicMessage, language) } };
  return undefined;
}

/** `/details/email` → `email`, `/lines/0/quantity` → `lines.0.quantity`. */
const fieldName = ({ path }: Violation): string => path.replace(/^\/(details\/)?/, '').replaceAll('/', '.');

import { randomUUID } from 'node:crypto';
import { type Request, type Response } from 'express';
import { isLanguage } from '@invoicing/design';
import { checkPayer, needsVatId, prefilledForm, type PayerForm } from '../sessions/payer-form';
import { type Session } from '../sessions/session';
import { startPayment } from '../sessions/start-payment';
import { offerOf } from './payment-offer';
import { stateOf, type Refusal } from './session-page';
import { languageOfPage, showSession, type AskedSession, type SessionPagesPorts } from './show-session';

/** Starts the payment that a payer's form asks for and sends the payer there, or shows the page again with what is wrong. */
export async function paySession(
  pages: SessionPagesPorts,
  asked: AskedSession,
  request: Request,
  response: Response,
): Promise<void> {
  const { ports, source } = pages;
  const { session } = asked;
  const body = (request.body ?? {}) as Record<string, unknown>;
  const text = (name: string): string => (typeof body[name] === 'string' ? body[name] : '');
  const values = formOf(text, session);
  const method = text('method');
  const language = languageOfPage(request, asked);
  const refuse = (reason: Refusal['reason'], faults: Refusal['faults'] = {}): Promise<void> =>
    showSession(pages, asked, request, response, { values, method, faults, reason });

  if (stateOf(session, ports.clock.now(session.organizationId)) !== 'open')
    return showSession(pages, asked, request, response);
  if (isLanguage(body['language'])) return refuse('language');
  const { account, offer } = await offerOf(ports, session, language);
  if (!account || offer.kind === 'none_connected') return showSession(pages, asked, request, response);
  if (offer.kind === 'down') return refuse('down');

  const checked = session.kind === 'invoice' ? { payer: null, faults: null } : checkPayer(values, session);
  if (checked.faults) return refuse(method === '' ? 'method_missing' : 'fields', checked.faults);
  if (method === '') return refuse('method_missing');
  if (!offer.methods.some(({ id }) => id === method)) return refuse('method_gone');

  const stored = await source.store(session);
  const form = text('form').slice(0, 100) || randomUUID();
  const started = await startPayment(ports, stored, account, { form, method, payer: checked.payer, language });
  if (started.kind === 'provider_down') return refuse('down');
  if (started.kind === 'too_many') return refuse('too_many');
  if (started.kind === 'go') return response.redirect(303, started.payUrl);
  return response.redirect(303, `${source.path(session)}?lang=${language}`);
}

/** Fields that the form did not carry keep what was known before. */
function formOf(text: (name: string) => string, session: Session): PayerForm {
  const companiesOnly = needsVatId(session);
  const known = prefilledForm(session.prefill);
  return {
    type: text('type') === 'company' || companiesOnly ? 'company' : 'person',
    name: text('name'),
    email: text('email'),
    companyName: text('companyName'),
    addressLine1: text('addressLine1'),
    postalCode: text('postalCode'),
    city: text('city'),
    countryCode: text('countryCode') || known.countryCode,
    btwId: text('btwId'),
    kvkNumber: text('kvkNumber'),
  };
}

import { formatMoney, formatPeriod, frameView, mailtoUrl, type Language } from '@invoicing/design';
import { needsVatId, prefilledForm, type PayerFault, type PayerField, type PayerForm } from '../sessions/payer-form';
import { redirectTarget } from '../sessions/redirect-url';
import { amountOf, attemptCents, paidAttempt, type Attempt, type Session } from '../sessions/session';
import { type PaymentMethod } from '../sessions/session-ports';
import { dateTime, fill, quantityText, vatLabel } from './format';
import { icons } from './icons';
import { methodMark } from './method-marks';
import { methodName } from './method-name';
import { payerFields } from './payer-fields';
import { renderPage } from './render';
import { type ShownBrand } from './session-brand';
import { texts } from './texts';

/** What can be paid with now. */
export type Offer =
  | { readonly kind: 'methods'; readonly methods: readonly PaymentMethod[] }
  | { readonly kind: 'down' }
  | { readonly kind: 'none_connected' };

/** A form that came in and was not accepted. */
export interface Refusal {
  readonly values: PayerForm;
  readonly method: string;
  readonly faults: Partial<Record<PayerField, PayerFault>>;
  /** `language`: nothing is wrong; the payer wants to read it in another language. */
  readonly reason: 'fields' | 'method_missing' | 'method_gone' | 'down' | 'too_many' | 'language';
}

export interface PageContext extends ShownBrand {
  readonly language: Language;
  /** Path of the page, without query; empty where there is none to come back to. */
  readonly path: string;
  readonly publicUrl: string;
  /** Who is paid, as the page names them; empty where nobody is known. */
  readonly sellerName: string;
}

/** What a page can be paid on with. */
export interface FormContext extends PageContext {
  /** Names the form that is about to be shown. */
  readonly formId: string;
}

const frame = (here: PageContext, documentTitle: string, form?: string) => ({
  language: here.language,
  t: texts[here.language],
  brand: here.brand,
  frame: frameView(here.brand, {
    ...here,
    logoUrl: `${here.path}/logo`,
    languageUrl: (language) => `${here.path}?lang=${language}`,
    ...(form && { form }),
  }),
  documentTitle: [documentTitle, here.sellerName].filter(Boolean).join(' · '),
});

/** More lines than these are shown when they are asked for. */
const SHOWN_LINES = 8;

/** The page on which a session is paid. */
export function formPage(session: Session, offer: Offer, context: FormContext, refusal?: Refusal): string {
  const { language, path } = context;
  const t = texts[language];
  const amount = (cents: number): string => formatMoney(cents, language);
  const asked = amountOf(session);
  const last = session.attempts.at(-1);
  const methods = offer.kind === 'methods' && refusal?.reason !== 'too_many' ? offer.methods : [];
  const chosen = refusal?.method ?? last?.method;
  const values = refusal?.values ?? prefilledForm(last?.payer ?? session.prefill, needsVatId(session));
  return renderPage('form', {
    ...frame(context, session.title, methods.length > 0 ? 'pay' : undefined),
    seller: session.sellerName,
    wide: true,
    isInvoice: session.kind === 'invoice',
    title: session.title,
    terms: termsShown(session, language),
    note: session.terms?.note ?? '',
    folded: session.lines.length > SHOWN_LINES,
    linesCount: session.lines.length === 1 ? t.lineCount : fill(t.linesCount, { count: String(session.lines.length) }),
    lines: session.lines.map((line) => ({
      description: line.description,
      quantity: quantityText(line, language),
      amount: amount(line.grossCents ?? line.netCents),
    })),
    subtotal: amount(session.totals.exclCents),
    vatRows: session.totals.groups.map((group) => ({
      label: vatLabel(group, language),
      amount: amount(group.vatCents),
    })),
    total: amount(session.totals.inclCents),
    open: asked === session.totals.inclCents ? null : amount(asked),
    payLabel: fill(t.pay, { amount: amount(asked) }),
    notice:
      refusalNotice(refusal, session, language) ??
      offerNotice(offer, session, language) ??
      attemptNotice(last, session, language),
    methods: methods.map((method) => ({
      id: method.id,
      name: methodName(method, language),
      mark: methodMark(method.id),
      chosen: method.id === chosen || methods.length === 1,
    })),
    methodFault: methodFault(refusal, language),
    faults: Object.fromEntries(Object.entries(refusal?.faults ?? {}).map(([field, fault]) => [field, t.faults[fault]])),
    ...fieldsShown(session, language, refusal),
    companiesOnly: needsVatId(session),
    values,
    action: `${path}?lang=${language}`,
    // The payer may have paid after all: then the page is to show that, not a form.
    statusUrl: isUnfinished(session) ? `${path}/status` : null,
    retryUrl: offer.kind === 'down' ? `${path}?lang=${language}` : null,
    formId: context.formId,
  });
}

function fieldsShown(session: Session, language: Language, refusal: Refusal | undefined) {
  const fields = payerFields(language, needsVatId(session));
  const faulty = fields.find(({ name }) => refusal?.faults[name] !== undefined);
  // What is wrong first has the focus; where no method was chosen, that is the first method.
  return { fields, focused: methodFault(refusal, language) ? undefined : faulty?.name };
}

function termsShown({ terms = {} }: Session, language: Language): { label: string; value: string }[] {
  const t = texts[language];
  return [
    { label: t.period, value: terms.period ? formatPeriod(terms.period.from, terms.period.to, language) : '' },
    { label: t.reference, value: terms.reference ?? '' },
  ].filter(({ value }) => value);
}

const isUnfinished = ({ attempts }: Session): boolean => attempts.some(({ status }) => status === 'open');

interface Notice {
  readonly tone: 'bad' | 'warning';
  readonly title: string;
  readonly text: string;
}

/** "Nothing was charged" is only said of what is known to be so. */
function downNotice(session: Session, language: Language): Notice {
  const t = texts[language];
  return { tone: 'bad', title: t.downTitle, text: isUnfinished(session) ? t.downUnfinishedText : t.downText };
}

function refusalNotice(refusal: Refusal | undefined, session: Session, language: Language): Notice | null {
  const t = texts[language];
  const { sellerName } = session;
  if (!refusal || refusal.reason === 'language') return null;
  if (refusal.reason === 'down') return downNotice(session, language);
  if (refusal.reason === 'too_many')
    return { tone: 'bad', title: t.tooManyTitle, text: fill(t.tooManyText, { seller: sellerName }) };
  return { tone: 'bad', title: t.fixErrors, text: methodFault(refusal, language) ?? '' };
}

function methodFault(refusal: Refusal | undefined, language: Language): string | null {
  if (refusal?.reason === 'method_missing') return texts[language].chooseMethod;
  return refusal?.reason === 'method_gone' ? texts[language].methodGone : null;
}

function offerNotice(offer: Offer, session: Session, language: Language): Notice | null {
  const t = texts[language];
  const seller = { seller: session.sellerName };
  if (offer.kind === 'down') return downNotice(session, language);
  if (offer.kind === 'none_connected')
    return { tone: 'warning', title: t.noProviderTitle, text: fill(t.noProviderText, seller) };
  return offer.methods.length > 0
    ? null
    : { tone: 'warning', title: t.noMethodTitle, text: fill(t.noMethodText, seller) };
}

function attemptNotice(last: Attempt | undefined, { sellerName }: Session, language: Language): Notice | null {
  const t = texts[language];
  switch (last?.status) {
    case 'failed':
      return { tone: 'bad', title: t.failedTitle, text: t.failedText };
    case 'canceled':
      return { tone: 'warning', title: t.canceledTitle, text: t.canceledText };
    case 'expired':
      return { tone: 'warning', title: t.timeoutTitle, text: t.timeoutText };
    case 'mismatched':
      return { tone: 'bad', title: t.mismatchTitle, text: fill(t.mismatchText, { seller: sellerName }) };
    case 'open':
      return { tone: 'warning', title: t.unfinishedTitle, text: t.unfinishedText };
    default:
      return null;
  }
}

const statusDefaults = {
  extra: null,
  facts: [],
  continueUrl: null,
  onward: [],
  invoiceUrl: null,
  statusUrl: null,
  refreshUrl: null,
  refresh: null,
};

/** Of the payment that is waited for. */
const pendingCents = (session: Session): number => {
  const pending = session.attempts.find(({ status }) => status === 'pending');
  return pending ? attemptCents(pending, session) : amountOf(session);
};

/** A payment is being processed: nothing to do but wait. */
export function pendingPage(session: Session, context: PageContext): string {
  const t = texts[context.language];
  const here = `${context.path}?lang=${context.language}`;
  return renderPage('status', {
    ...frame(context, t.pendingTitle),
    ...statusDefaults,
    tone: 'wait',
    icon: icons.wait,
    heading: t.pendingTitle,
    text: t.pendingText,
    extra: session.kind === 'invoice' ? t.pendingLeaveInvoice : t.pendingLeave,
    facts: [{ label: session.title, value: formatMoney(pendingCents(session), context.language) }],
    statusUrl: `${context.path}/status`,
    state: 'pending' satisfies PageState,
    refreshUrl: here,
    refreshLabel: t.refresh,
    refresh: { seconds: 5, url: here },
  });
}

/** The payer's receipt, and the way on to the integrator. */
export function paidPage(session: Session, context: PageContext): string {
  const { language, publicUrl } = context;
  const t = texts[language];
  const attempt = paidAttempt(session);
  const target = session.redirectUrl && redirectTarget(session.redirectUrl, session.id);
  return renderPage('status', {
    ...frame(context, t.paidTitle),
    ...statusDefaults,
    tone: 'good',
    icon: icons.good,
    heading: t.paidTitle,
    text: session.kind === 'invoice' ? t.paidInvoiceText : t.paidText,
    extra: session.attempts.some(({ surplusCents }) => surplusCents) ? t.surplus : null,
    facts: [
      {
        label: session.title,
        value: formatMoney(attempt ? attemptCents(attempt, session) : amountOf(session), language),
      },
      ...(attempt?.paidAt ? [{ label: t.paidAmount, value: dateTime(attempt.paidAt, language) }] : []),
      ...(attempt
        ? [{ label: t.method, value: methodName({ id: attempt.method, name: attempt.method }, language) }]
        : []),
    ],
    continueUrl: target,
    continueLabel: target && fill(t.continue, { host: new URL(target).host }),
    // The invoice is made right after the payment: the page shows it as soon as it is there.
    statusUrl: session.invoice ? null : `${context.path}/status`,
    state: 'settling' satisfies PageState,
    invoiceUrl: session.invoice && `${publicUrl}/p/${session.invoice.publicToken}`,
    refresh: target && { seconds: 8, url: target },
  });
}

/** A page on which there is nothing to pay; it leads to the seller, and to where the payer came from (`redirectUrl`). */
export function closedPage(
  kind: 'expired' | 'withdrawn' | 'closed' | 'settled' | 'notFound' | 'error',
  context: PageContext,
  redirectUrl: string | null = null,
): string {
  const t = texts[context.language];
  const isGood = kind === 'settled';
  return renderPage('status', {
    ...frame(context, t[`${kind}Title`]),
    ...statusDefaults,
    tone: isGood ? 'good' : 'bad',
    icon: isGood ? icons.good : icons.bad,
    refreshUrl: kind === 'error' && context.path !== '' ? `${context.path}?lang=${context.language}` : null,
    refreshLabel: t.again,
    heading: t[`${kind}Title`],
    text: fill(t[`${kind}Text`], { seller: context.sellerName }),
    onward: isGood ? [] : waysToSeller(context, redirectUrl),
  });
}

function waysToSeller({ brand, language, sellerName }: PageContext, redirectUrl: string | null) {
  const t = texts[language];
  const { email } = brand.seller;
  const shop = redirectUrl === null ? undefined : new URL(redirectUrl);
  return [
    ...(email ? [{ text: fill(t.askSeller, { seller: sellerName }), url: mailtoUrl(email) }] : []),
    // Its front door: the page behind it expects a payment.
    ...(shop ? [{ text: fill(t.backTo, { host: shop.host }), url: `${shop.origin}/` }] : []),
  ];
}

/** What the page of a session shows; `settling`: paid, its invoice is being made; `withdrawn`: the seller cancelled it. */
export type PageState = 'paid' | 'settling' | 'pending' | 'expired' | 'withdrawn' | 'open';

export function stateOf(session: Session, now: Date): PageState {
  if (session.status === 'paid') return session.invoice ? 'paid' : 'settling';
  if (session.attempts.some(({ status }) => status === 'pending')) return 'pending';
  if (session.canceledAt) return 'withdrawn';
  // The sweep may be a moment behind the clock.
  return session.expiresAt && session.expiresAt <= now ? 'expired' : session.status;
}

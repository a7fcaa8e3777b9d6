import { Eta } from 'eta';
import { type Invoice } from '@invoicing/contracts/invoicing/billing/v1/invoices';
import type { ReminderContent } from '@invoicing/contracts/invoicing/billing/v1/reminders';
import type { ReminderTexts } from '@invoicing/rules';
import htmlTemplate from './invoice-mail.html.eta';
import textTemplate from './invoice-mail.text.eta';
import { invoiceMailTexts, mailState } from './invoice-mail-texts';
import { reminderMailTexts } from './reminder-mail-texts';
import type { InvoiceMailTexts } from './mail-texts';
import { headerText } from './mime-message';

const html = new Eta({ autoEscape: true });
const text = new Eta({ autoEscape: false, autoTrim: false });
const renderHtml = html.compile(htmlTemplate);
const renderText = text.compile(textTemplate);

const LOCALES: Partial<Record<string, string>> = { en: 'en-NL', de: 'de-DE', fr: 'fr-FR' };
const FALLBACK_ACCENT = '#1f5f8b';

/** Subject and both bodies of the mail that carries an invoice or credit note, or reminds of one. */
export function composeInvoiceMail(
  invoice: Invoice,
  reminder?: ReminderContent,
): { subject: string; html: string; text: string } {
  const locale = LOCALES[invoice.language] ?? 'nl-NL';
  const inclCents = invoice.totals?.inclCents ?? 0;
  const total = money(inclCents, invoice.currency, locale);
  const asks = mailState(invoice) === 'open';
  const open = asks && invoice.openCents !== inclCents ? money(invoice.openCents, invoice.currency, locale) : '';
  const dueDate = longDate(invoice.dueDate, locale);
  const read = {
    money: (cents: number): string => money(cents, invoice.currency, locale),
    day: (date: string): string => longDate(date, locale),
    dueDate,
  };
  const reminding = reminder && reminderMailTexts(invoice, reminder, read);
  const texts: InvoiceMailTexts = { ...invoiceMailTexts(invoice, { total, open, dueDate }), ...reminding };
  const accent = /^#[0-9a-f]{6}$/i.test(invoice.accentColor) ? invoice.accentColor : FALLBACK_ACCENT;
  const view = {
    texts,
    testNotice: invoice.test ? texts.testNotice : '',
    seller: headerText(invoice.seller?.name ?? ''),
    sellerLine: sellerLine(invoice),
    facts: [
      { label: texts.numberLabel, value: invoice.number },
      { label: texts.issuedLabel, value: longDate(invoice.issueDate, locale) },
      { label: texts.periodLabel, value: periodOf(invoice, locale) },
      { label: texts.referenceLabel, value: invoice.reference ?? '' },
      // What asks for nothing is not due.
      { label: texts.dueLabel, value: asks ? dueDate : '' },
      { label: texts.statusLabel, value: texts.status },
    ].filter(({ value }) => value),
    // What is asked for comes last, and is shown largest.
    sums: [
      { label: texts.totalLabel, amount: total },
      ...(open ? [{ label: texts.openLabel, amount: open }] : []),
      ...(reminding ? claimed(reminder, reminding, read.money) : []),
    ],
    note: invoice.note ?? '',
    url: invoice.publicUrl,
    accent,
    onAccent: readableOn(accent),
  };
  return {
    subject: headerText(invoice.test ? `[TEST] ${texts.subject}` : texts.subject),
    html: html.render(renderHtml, view),
    text: text.render(renderText, view),
  };
}

/** What is asked for beside the invoice, and all of it. */
function claimed({ claim }: ReminderContent, texts: ReminderTexts, shown: (cents: number) => string) {
  const { openCents = 0, costsCents = 0, interestCents = 0 } = claim ?? {};
  const parts = [
    { label: texts.costsLabel, cents: costsCents },
    { label: texts.interestLabel, cents: interestCents },
  ].filter(({ cents }) => cents > 0);
  if (parts.length === 0) return [];
  const all = { label: texts.sumLabel, cents: openCents + costsCents + interestCents };
  return [...parts, all].map(({ label, cents }) => ({ label, amount: shown(cents) }));
}

function sellerLine({ seller }: Invoice): string {
  if (!seller) return '';
  const place = [seller.postalCode, seller.city].filter(Boolean).join(' ');
  const kvk = seller.kvkNumber && `KvK ${seller.kvkNumber}`;
  return [seller.addressLine1, place, kvk, seller.btwId].filter(Boolean).join(' · ');
}

function periodOf({ period }: Invoice, locale: string): string {
  if (!period) return '';
  const day = (date: string): Date => new Date(`${date}T00:00:00Z`);
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
  return format.formatRange(day(period.from), day(period.to));
}

const money = (cents: number, currency: string, locale: string): string =>
  new Intl.NumberFormat(locale, { style: 'currency', currency: currency || 'EUR' }).format(cents / 100);

const longDate = (date: string, locale: string): string =>
  date === ''
    ? ''
    : new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(`${date}T00:00:00Z`));

/** Black or white, whichever is easier to read on a colour (relative luminance, WCAG 2.2). */
function readableOn(color: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => parseInt(color.slice(at, at + 2), 16) / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return luminance > 0.179 ? '#111111' : '#ffffff';
}

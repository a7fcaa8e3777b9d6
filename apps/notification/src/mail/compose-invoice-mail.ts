import { Eta } from 'eta';
import {
  formatDate,
  formatMoney,
  formatPeriod,
  isLanguage,
  sellerIdentity,
  type Brand,
  type Language,
} from '@invoicing/design';
import { type Invoice } from '@invoicing/contracts/invoicing/billing/v1/invoices';
import type { ReminderContent } from '@invoicing/contracts/invoicing/billing/v1/reminders';
import type { ReminderTexts } from '@invoicing/rules';
import { creditOutcome, creditSentence } from './credit-mail-texts';
import htmlTemplate from './invoice-mail.html.eta';
import textTemplate from './invoice-mail.text.eta';
import { invoiceMailTexts, mailState } from './invoice-mail-texts';
import { reminderMailTexts } from './reminder-mail-texts';
import { brandOfInvoice, mailLook } from './mail-look';
import type { InvoiceMailTexts } from './mail-texts';
import { headerText } from './mime-message';

const html = new Eta({ autoEscape: true });
const text = new Eta({ autoEscape: false, autoTrim: false });
const renderHtml = html.compile(htmlTemplate);
const renderText = text.compile(textTemplate);

const languageOf = ({ language }: Invoice): Language => (isLanguage(language) ? language : 'nl');

/** Subject and both bodies of the mail that carries an invoice or credit note, or reminds of one. */
export function composeInvoiceMail(
  invoice: Invoice,
  reminder?: ReminderContent,
  brand: Brand = brandOfInvoice(invoice),
): { subject: string; html: string; text: string } {
  const language = languageOf(invoice);
  const money = (cents: number): string => formatMoney(cents, language);
  const day = (date: string): string => (date === '' ? '' : formatDate(date, language));
  const inclCents = invoice.totals?.inclCents ?? 0;
  const total = money(inclCents);
  const asks = mailState(invoice) === 'open';
  const open = asks && invoice.openCents !== inclCents ? money(invoice.openCents) : '';
  const dueDate = day(invoice.dueDate);
  const reminding = reminder && reminderMailTexts(invoice, reminder, { money, day, dueDate });
  const texts: InvoiceMailTexts = { ...invoiceMailTexts(invoice, { total, open, dueDate }), ...reminding };
  const { period } = invoice;
  const view = {
    ...mailLook(brand, language, invoice.test),
    texts,
    sellerLine: sellerLine(invoice, language),
    outcome: outcomeOf(invoice, language),
    facts: [
      { label: texts.numberLabel, value: invoice.number },
      { label: texts.issuedLabel, value: day(invoice.issueDate) },
      { label: texts.periodLabel, value: period ? formatPeriod(period.from, period.to, language) : '' },
      { label: texts.referenceLabel, value: invoice.reference ?? '' },
      { label: texts.reasonLabel, value: invoice.reason ?? '' },
      // What asks for nothing is not due.
      { label: texts.dueLabel, value: asks ? dueDate : '' },
      { label: texts.statusLabel, value: texts.status },
    ].filter(({ value }) => value),
    // What is asked for comes last, and is shown largest.
    sums: [
      { label: texts.totalLabel, amount: total },
      ...(open ? [{ label: texts.openLabel, amount: open }] : []),
      ...(reminding ? claimed(reminder, reminding, money) : []),
    ],
    // A line of it never breaks in the number.
    number: invoice.number,
    note: invoice.note ?? '',
    url: invoice.publicUrl,
  };
  return {
    subject: headerText(invoice.test ? `[TEST] ${texts.subject}` : texts.subject),
    html: html.render(renderHtml, view),
    text: text.render(renderText, view),
  };
}

/** What a credit note does to its reader's money; empty where billing did not say what is open of the invoice. */
function outcomeOf({ totals, creditedNumber, creditedOpenCents }: Invoice, language: Language): string {
  if (creditedNumber === undefined || creditedOpenCents === undefined) return '';
  const inclCents = totals?.inclCents ?? 0;
  return creditSentence(language, creditOutcome(inclCents, creditedOpenCents), {
    credited: creditedNumber,
    amount: formatMoney(Math.abs(inclCents), language),
    open: formatMoney(Math.abs(creditedOpenCents), language),
  });
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

function sellerLine({ seller }: Invoice, language: Language): string {
  if (!seller) return '';
  const place = [seller.postalCode, seller.city].filter(Boolean).join(' ');
  const [name, ...numbers] = sellerIdentity(seller, language);
  return [name, seller.addressLine1, place, ...numbers, seller.email].filter(Boolean).join(' · ');
}

import type { ReminderContent } from '@invoicing/contracts/invoicing/billing/v1/reminders';
import { sampleInvoice } from '../testing/sample-invoice';
import { composeInvoiceMail } from './compose-invoice-mail';

const claim = { openCents: 12_100, costsCents: 0, interestCents: 0 };
const content = (changes: Partial<ReminderContent> = {}): ReminderContent => ({
  ...{ withdrawn: false, step: 1, last: false, again: false, claim, text: '' },
  ...changes,
});
const compose = (changes: Partial<ReminderContent> = {}, language = 'nl') =>
  composeInvoiceMail(sampleInvoice({ language }), content(changes));

test.each([
  [
    'nl',
    'Herinnering: factuur 2026-0001 van Bakkerij De Zon',
    'Laatste aanmaning: factuur 2026-0001 van Bakkerij De Zon',
  ],
  ['en', 'Reminder: invoice 2026-0001 from Bakkerij De Zon', 'Final reminder: invoice 2026-0001 from Bakkerij De Zon'],
  [
    'de',
    'Zahlungserinnerung: Rechnung 2026-0001 von Bakkerij De Zon',
    'Letzte Mahnung: Rechnung 2026-0001 von Bakkerij De Zon',
  ],
  ['fr', 'Rappel : facture 2026-0001 de Bakkerij De Zon', 'Dernier rappel : facture 2026-0001 de Bakkerij De Zon'],
])('%s: the first and the last', (language, first, last) => {
  expect(compose({}, language).subject).toBe(first);
  expect(compose({ step: 3, last: true, again: true }, language).subject).toBe(last);
  expect(compose({}, language).text).toMatch(/121[.,]00/);
});

test.each([
  ['nl', 'veertien dagen', 'incassokosten'],
  ['en', 'fourteen more days', 'collection costs'],
  ['de', 'vierzehn Tage', 'Inkassokosten'],
  ['fr', 'quatorze jours', 'frais de recouvrement'],
])(
  '%s: the notice of fourteen days names costs and day, whatever text the organisation has',
  (language, days, costs) => {
    const notice = { noticeCostsCents: 4_000, noticeUntil: '2026-12-20' };
    const { text } = compose({ claim: { ...claim, ...notice }, text: 'Betaal nu!' }, language);
    expect(text).toContain(days);
    expect(text).toContain(costs);
    expect(text).toMatch(/40[.,]00/);
    expect(text).toContain('2026');
    expect(text).not.toContain('Betaal nu!');
  },
);

test('costs and interest stand beside what is open, with their sum; a text of the organisation instead of ours', () => {
  const { text, html } = compose({ claim: { ...claim, costsCents: 4_000, interestCents: 123 }, text: 'Betaal <nu>!' });
  expect(text).toMatch(/Incassokosten: €\u00a040,00\nWettelijke rente: €\u00a01,23\nSamen te betalen: €\u00a0162,23/);
  expect(text).toContain('Betaal <nu>!');
  expect(html).toContain('Betaal &lt;nu&gt;!');
  expect(text).not.toContain('ontgaan');
});

test('no line breaks in the number, and a text that is not ours names it as it likes', () => {
  expect(compose().html).toContain('van factuur <span style="white-space:nowrap;">2026-0001</span> staat nog');
  expect(compose({ text: '2026-0001 & <b>' }).html).toContain('>2026-0001</span> &amp; &lt;b&gt;</p>');
});

test('what comes first, whatever step it is, speaks of no earlier one', () => {
  expect(compose({ step: 3, last: true }).text).not.toContain('eerdere');
  expect(compose({ step: 2, again: true }).text).toContain('eerdere');
});

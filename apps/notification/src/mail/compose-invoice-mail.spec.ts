import { InvoiceKind, InvoiceStatus, type Invoice } from '@invoicing/contracts/invoicing/billing/v1/invoices';
import { brand } from '@invoicing/design';
import { sampleInvoice } from '../testing/sample-invoice';
import { composeInvoiceMail } from './compose-invoice-mail';

test('the plain text says what the invoice says', () => {
  const { subject, text } = composeInvoiceMail(sampleInvoice());
  expect(subject).toBe('Factuur 2026-0001 van Bakkerij De Zon');
  expect(text).toBe(`Beste Jan Jansen,

Hierbij ontvangt u uw factuur. U kunt deze online bekijken en betalen. De pdf zit in de bijlage.

Factuurnummer: 2026-0001
Factuurdatum: 21 november 2026
Vervaldatum: 5 december 2026
Totaal: €\u00a0121,00

Bekijken en betalen:
https://pay.example/p/tok

Met vriendelijke groet,
Bakkerij De Zon
Bakkerij De Zon · Dorpsstraat 1 · 1234 AB Utrecht · KvK 12345678 · Btw-id NL001234567B01 · info@dezon.example
`);
});

test('English, a paid invoice: no due date, no call to pay', () => {
  const { subject, html, text } = composeInvoiceMail(
    sampleInvoice({
      language: 'en',
      status: InvoiceStatus.PAID,
      openCents: 0,
    }),
  );
  expect(subject).toBe('Invoice 2026-0001 from Bakkerij De Zon');
  expect(text).toContain('Total: €121.00');
  for (const body of [html, text]) {
    expect(body).toContain('Thank you for your payment');
    expect(body).not.toContain('Due date');
    expect(body).not.toContain('View and pay');
  }
});

const prepaid: Partial<Invoice> = {
  prepayment: { provider: 'mollie', method: 'ideal', id: 'tr_1', paidAt: new Date(), amountCents: 12_100 },
  status: InvoiceStatus.PAID,
  openCents: 0,
};

test('paid before it was issued: thanks, and not a word of paying', () => {
  const dutch = composeInvoiceMail(sampleInvoice(prepaid));
  expect(dutch.subject).toBe('Factuur 2026-0001 van Bakkerij De Zon');
  expect(dutch.text).toBe(`Beste Jan Jansen,

Bedankt voor uw betaling. Hierbij ontvangt u uw factuur; u hoeft niets meer te doen. U kunt deze online bekijken en downloaden. De pdf zit in de bijlage.

Factuurnummer: 2026-0001
Factuurdatum: 21 november 2026
Status: Betaald
Totaal: €\u00a0121,00

Factuur bekijken:
https://pay.example/p/tok

Met vriendelijke groet,
Bakkerij De Zon
Bakkerij De Zon · Dorpsstraat 1 · 1234 AB Utrecht · KvK 12345678 · Btw-id NL001234567B01 · info@dezon.example
`);
  const english = composeInvoiceMail(sampleInvoice({ ...prepaid, language: 'en' }));
  expect(english.text).toContain('Status: Paid\nTotal: €121.00\n\nView invoice:\nhttps://pay.example/p/tok');
  for (const body of [dutch.html, dutch.text, english.html, english.text]) {
    expect(body).toMatch(/Bedankt voor uw betaling|Thank you for your payment/);
    expect(body).not.toMatch(/te betalen|en betalen|and pay|vervaldatum|due/i);
    expect(body).toContain('https://pay.example/p/tok');
  }
  for (const { html, paid } of [
    { html: dutch.html, paid: 'Betaald' },
    { html: english.html, paid: 'Paid' },
  ])
    expect(html).toContain(`>${paid}</td>`);
});

const PAYING =
  /te betalen|en betalen|and pay|to pay|zahlbar|bezahlen|zu zahlen|à payer|payer|due|vervaldatum|fällig|échéance/i;

test.each(['nl', 'en', 'de', 'fr'])('what is open is what a mail asks for (%s)', (language) => {
  const { PAID, SENT } = InvoiceStatus;
  const open = [
    { status: SENT, openCents: 12_100 },
    { status: SENT, openCents: 5_000 },
    // Charged back: what was paid before it was issued is to be paid again.
    { ...prepaid, status: SENT, openCents: 12_100 },
  ];
  for (const changes of open) {
    const { html, text } = composeInvoiceMail(sampleInvoice({ language, ...changes }));
    for (const body of [html, text]) {
      expect(body).toMatch(PAYING);
      expect(body.includes('50,00') || body.includes('50.00')).toBe(changes.openCents === 5_000);
      expect(body).not.toMatch(/Bedankt voor|Thank you|vielen Dank|Merci/);
    }
  }
  // Paid, and paid too much; credited, written off and of nothing.
  const nothing = /hoeft niets|nothing left|nothing to pay|müssen nichts|plus rien|n’avez rien/;
  for (const status of [PAID, SENT]) {
    const { html, text } = composeInvoiceMail(sampleInvoice({ language, status, openCents: 0 }));
    for (const body of [html, text]) {
      expect(body).toMatch(nothing);
      expect(/Bedankt voor|Thank you|vielen Dank|Merci/.test(body)).toBe(status === PAID);
      expect(
        body.replace(/[^\n<>.;]*(niets te betalen|nothing to pay|nichts zu zahlen|rien à payer)/gi, ''),
      ).not.toMatch(PAYING);
    }
  }
});

test('a part that is open is said beside the total', () => {
  const { text } = composeInvoiceMail(sampleInvoice({ openCents: 5_000 }));
  expect(text).toContain('Totaal: €\u00a0121,00\nNog te betalen: €\u00a050,00\n');
});

test('what the document says of itself', () => {
  const invoice = sampleInvoice({
    reference: 'PO-4711 <b>',
    note: 'Met dank.\nTot ziens.',
    period: { from: '2026-11-01', to: '2026-11-30' },
  });
  const { html, text } = composeInvoiceMail(invoice);
  expect(text).toContain('Periode: 1 – 30 november 2026\nUw kenmerk: PO-4711 <b>\nVervaldatum: 5 december 2026\n');
  expect(text).toContain('\n\nMet dank.\nTot ziens.\n\nBekijken en betalen:');
  expect(html).toContain('PO-4711 &lt;b&gt;');
  expect(html).toContain('>Met dank.\nTot ziens.</p>');
});

test('its credit note speaks of the credit, not of a payment', () => {
  const { html, text } = composeInvoiceMail(
    sampleInvoice({ kind: InvoiceKind.CREDIT_NOTE, creditedNumber: '2026-0000', openCents: 0 }),
  );
  for (const body of [html, text]) expect(body).not.toMatch(/Bedankt|Betaald|Status/);
});

test('a credit note names the invoice it credits', () => {
  const { subject, text } = composeInvoiceMail(
    sampleInvoice({ kind: InvoiceKind.CREDIT_NOTE, creditedNumber: '2026-0000', number: 'C-1' }),
  );
  expect(subject).toBe('Creditnota C-1 van Bakkerij De Zon');
  expect(text).toContain('onze creditnota bij factuur 2026-0000');
  expect(text).not.toContain('Vervaldatum');
});

test('names cannot become markup, or a second header', () => {
  const invoice = sampleInvoice();
  invoice.buyer!.name = '<script>alert(1)</script>';
  invoice.seller!.name = 'A" onmouseover="x\r\nBcc: all@example.com';
  invoice.accentColor = 'red;background:url(https://evil.example)';
  const { subject, html } = composeInvoiceMail(invoice);
  expect(html).not.toContain('<script>');
  expect(html).not.toContain('" onmouseover="');
  expect(html).not.toContain('evil.example');
  expect(subject).not.toMatch(/[\r\n]/);
});

test.each([
  ['de', 'Rechnung 2026-0001 von Bakkerij De Zon', 'Fällig am: 5. Dezember 2026', 'Gesamtbetrag: 121,00\u00a0€'],
  ['fr', 'Facture 2026-0001 de Bakkerij De Zon', 'Échéance: 5 décembre 2026', 'Total: 121,00\u00a0€'],
])('in the language of the invoice: %s', (language, subject, due, total) => {
  const mail = composeInvoiceMail(sampleInvoice({ language }));
  expect(mail.subject).toBe(subject);
  expect(mail.text).toContain(due);
  expect(mail.text).toContain(total);
  expect(mail.html).toContain(`lang="${language}"`);
});

const credit = {
  kind: InvoiceKind.CREDIT_NOTE,
  creditedNumber: '2026-0000',
  number: 'C-1',
  openCents: 0,
  reason: 'Te laat <geleverd>',
};
test.each([
  ['nl', 5_000, 'Factuur 2026-0000 wordt €\u00a0121,00 lager. Daarvan is nog €\u00a050,00 te betalen.'],
  ['en', 0, 'Invoice 2026-0000 is reduced by €121.00. There is nothing left to pay for it.'],
  ['de', -2_500, 'Für Rechnung 2026-0000 haben Sie nun 25,00\u00a0€ zu viel gezahlt. Wir zahlen den Betrag zurück'],
  ['fr', 5_000, 'La facture 2026-0000 diminue de 121,00\u00a0€. Il en reste 50,00\u00a0€ à payer.'],
])('a credit mail says why, and what happens to the money (%s)', (language, creditedOpenCents, sentence) => {
  const { html, text } = composeInvoiceMail(sampleInvoice({ ...credit, language, creditedOpenCents }));
  expect(text).toContain(sentence);
  expect(html).toContain(sentence);
  expect(text).toContain(': Te laat <geleverd>\n');
  expect(html).toContain('Te laat &lt;geleverd&gt;');
});

test('a credit note below zero makes its invoice higher', () => {
  const totals = { exclCents: -1_000, vatCents: -210, inclCents: -1_210, groups: [] };
  const { text } = composeInvoiceMail(sampleInvoice({ ...credit, totals, creditedOpenCents: 1_210 }));
  expect(text).toContain('Factuur 2026-0000 wordt hierdoor €\u00a012,10 hoger.');
});

test('the house style is the profile’s: name, logo, colour and footer', () => {
  const logo = Uint8Array.of(0x89, 0x50, 0x4e, 0x47);
  const style = { name: 'De Zon Webshop', accentColor: '#ffe600', footer: 'Elke dag vers.', logo };
  const { html, text } = composeInvoiceMail(sampleInvoice(), undefined, brand(style));
  expect(html).toContain('<img src="cid:logo" alt="De Zon Webshop"');
  expect(html).toContain('background:#ffe600;');
  expect(html).toContain('color:#000000;text-decoration:none;');
  for (const body of [html, text]) expect(body).toContain('Elke dag vers.');
  expect(text).toContain('Met vriendelijke groet,\nDe Zon Webshop\nBakkerij De Zon · Dorpsstraat 1');
});

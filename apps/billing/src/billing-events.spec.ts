import type { Party } from './invoices/invoice';
import type { IssuedInvoice } from './invoices/issued-invoice';
import { eventsOfIssue } from './billing-events';
import { benchInvoice } from './testing/numbering-methods';

const party = (countryCode: string, kvkNumber: string): Party => ({
  ...{ name: 'Zon', companyName: '', addressLine1: '', postalCode: '', city: '', countryCode, kvkNumber },
  ...{ btwId: '', email: '', iban: '', bic: '' },
});
const belgian = party('BE', '0403170701');
const dutch = party('NL', '12345678');

test.each([
  ['between Belgian businesses it is required', belgian, party('BE', '0123456749'), 'required'],
  ['to a business that the network may know it is possible', belgian, dutch, 'possible'],
  ['from a Dutch seller, too', dutch, belgian, 'possible'],
  ['not to a private person', belgian, party('BE', ''), undefined],
  ['not to a number of no known scheme', belgian, party('US', '12-3456789'), undefined],
])('delivery over Peppol: %s', (_what, seller, buyer, peppol) => {
  const issued = { ...benchInvoice(), number: '1', seller, buyer } as IssuedInvoice;
  const [told] = eventsOfIssue(issued).map(({ body }) => JSON.parse(body) as { invoiceIssued: { peppol?: string } });
  expect(told!.invoiceIssued.peppol).toBe(peppol);
});

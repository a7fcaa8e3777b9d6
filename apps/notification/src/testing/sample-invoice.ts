import { randomUUID } from 'node:crypto';
import { Invoice, InvoiceKind, InvoiceStatus } from '@invoicing/contracts/invoicing/billing/v1/invoices';

/** An issued invoice with everything filled in. */
export function sampleInvoice(changes: Partial<Invoice> = {}): Invoice {
  return Invoice.fromPartial({
    id: randomUUID(),
    organizationId: randomUUID(),
    profileId: randomUUID(),
    customerId: randomUUID(),
    kind: InvoiceKind.INVOICE,
    status: InvoiceStatus.SENT,
    number: '2026-0001',
    publicToken: 'tok',
    issueDate: '2026-11-21',
    dueDate: '2026-12-05',
    currency: 'EUR',
    language: 'nl',
    seller: {
      name: 'Bakkerij De Zon',
      addressLine1: 'Dorpsstraat 1',
      postalCode: '1234 AB',
      city: 'Utrecht',
      countryCode: 'NL',
      btwId: 'NL001234567B01',
      kvkNumber: '12345678',
      email: 'info@dezon.example',
      iban: 'NL91ABNA0417164300',
    },
    buyer: {
      name: 'Jan Jansen',
      email: 'jan@example.com',
      addressLine1: 'Kade 2',
      postalCode: '4321 BA',
      city: 'Delft',
      countryCode: 'NL',
    },
    totals: { exclCents: 10_000, vatCents: 2_100, inclCents: 12_100, groups: [] },
    openCents: 12_100,
    hasEInvoice: true,
    publicUrl: 'https://pay.example/p/tok',
    accentColor: '#0f766e',
    issuedAt: new Date(),
    ...changes,
  });
}

import { randomUUID } from 'node:crypto';
import { openChannel } from '@invoicing/rpc';
import { testIdentity } from '@invoicing/testing';
import { invoiceSource } from './billing-client';
import { startFakeBilling } from './testing/fake-billing';

test.each([false, true])(
  'a message is told whole, also by a billing of the version before: %s',
  async (isOfVersionBefore) => {
    const billing = await startFakeBilling(0, { isOfVersionBefore });
    const channel = openChannel(billing.address, testIdentity('notification'));
    const invoices = invoiceSource(channel);
    const told = async (changes: { hasEInvoice: boolean }) => {
      const { organizationId, id: invoiceId, number } = billing.addInvoice(randomUUID(), changes);
      const { invoice, brand, files } = await invoices.mail({ organizationId, invoiceId }, 5_000);
      expect(invoice).toEqual(await invoices.get({ organizationId, invoiceId }, 5_000));
      expect(brand.name).toBe(invoice.seller!.name);
      return files.map(({ filename, contentType, content }) => [
        filename.replace(number, ''),
        contentType,
        `${content}`,
      ]);
    };
    const pdf = ['.pdf', 'application/pdf', expect.stringMatching(/^%PDF/)];
    expect(await told({ hasEInvoice: false })).toEqual([pdf]);
    expect(await told({ hasEInvoice: true })).toEqual([pdf, ['.xml', 'application/xml', '<Invoice/>']]);
    const nobody = { organizationId: randomUUID(), invoiceId: randomUUID() };
    await expect(invoices.mail(nobody, 5_000)).rejects.toMatchObject({ kind: 'absent' });
    channel.close();
    await billing.close();
  },
);

import { startTestStore, type TestStore } from '@invoicing/testing';
import { dutchInvoice } from '../testing/sample-invoices';
import { invoiceSheet, type InvoiceToShow } from './invoice-sheet';
import { mongoSealedSheets, type SealedSheets } from './sealed-sheet-store';

let store: TestStore;
let sheets: SealedSheets;

beforeAll(async () => {
  store = await startTestStore();
  sheets = await mongoSealedSheets(await store.connect('billing'), () => new Date());
});
afterAll(() => store?.close());

test('the first sheet of an invoice is kept, whoever comes at the same time; another organisation has none', async () => {
  const kept = await Promise.all(['a', 'b', 'c'].map((pdf) => sheets.keep('org', 'invoice-1', Buffer.from(pdf))));
  expect(new Set(kept.map((pdf) => Buffer.from(pdf).toString())).size).toBe(1);
  expect(Buffer.from((await sheets.find('org', 'invoice-1'))!)).toEqual(Buffer.from(kept[0]!));
  expect(await sheets.find('other', 'invoice-1')).toBeNull();
  expect(await sheets.find('org', 'invoice-2')).toBeNull();
});

describe('the sheet of an invoice', () => {
  const shown: InvoiceToShow = {
    invoice: { ...dutchInvoice, id: 'invoice-3' },
    payment: null,
    today: '2026-11-25',
    timezone: 'Europe/Amsterdam',
  };
  const payment = {
    provider: 'sandbox',
    method: 'ideal',
    id: 'tr_1',
    paidAt: new Date('2026-11-28T12:00:00Z'),
    amountCents: dutchInvoice.totals.inclCents,
    checkoutId: null,
  };
  let rendered: string[];
  const show = async (changes: Partial<InvoiceToShow>, original = false): Promise<string> => {
    const documents = {
      // Another one each time, as after a change of the renderer.
      renderSheet: async (source: { account?: { entries: readonly unknown[] } }) => {
        rendered.push(source.account ? `copy ${source.account.entries.length}` : 'original');
        return Buffer.from(`${rendered.at(-1)} ${rendered.length}`);
      },
    } as never;
    const wanted = { format: 'pdf', lane: 'mail', original } as const;
    return Buffer.from(
      await invoiceSheet({ documents, sealedSheets: sheets }, { ...shown, ...changes }, wanted),
    ).toString();
  };

  test('is rendered once as issued, and stays so; a payment or a term that has passed makes a copy', async () => {
    rendered = [];
    expect([await show({}), await show({}), await show({})]).toEqual(['original 1', 'original 1', 'original 1']);
    expect(await show({ payment })).toBe('copy 1 2');
    expect(await show({ today: '2026-12-06' })).toBe('copy 0 3');
    expect(await show({ payment }, true)).toBe('original 1');
    expect(rendered).toEqual(['original', 'copy 1', 'copy 0']);
  });
});

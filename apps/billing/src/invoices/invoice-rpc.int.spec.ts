import { randomUUID } from 'node:crypto';
import { DocumentFormat, InvoiceKind, InvoiceStatus, Party } from '@invoicing/contracts/invoicing/billing/v1/invoices';
import { BillingStatus, EInvoiceRules, Mode, Plan } from '@invoicing/contracts/invoicing/billing/v1/organizations';
import { VatTreatment } from '@invoicing/contracts/invoicing/billing/v1/line';
import { AppError } from '@invoicing/errors';
import { testCall } from '@invoicing/testing';
import { readPdfs, textOf } from '../documents/testing/read-pdf';
import { startBillingHarness, type BillingHarness } from '../testing/billing-harness';

let harness: BillingHarness;
let gateway: ReturnType<BillingHarness['as']>;
let admin: ReturnType<BillingHarness['as']>;
let checkout: ReturnType<BillingHarness['as']>;
let organizationId: string;
let customerId: string;

beforeAll(async () => {
  harness = await startBillingHarness();
  gateway = harness.as('gateway');
  admin = harness.as('admin');
  checkout = harness.as('checkout');
});
afterAll(() => harness?.close());

beforeEach(async () => {
  organizationId = await createOrganization();
  customerId = harness.peers.addCustomer(organizationId, {});
  harness.peers.mailed.length = 0;
  harness.peers.sendInvoice = async () => ({ emailed: true, emailError: '' });
});

const operation = (operationId: string = randomUUID()) => testCall({ operationId });
const line = (
  unitPriceCents: number,
  more: Partial<{
    quantity: string;
    vatTreatment: VatTreatment;
    productId: string;
    unit: string;
    discountBps: number;
  }> = {},
) => ({
  unitPriceCents,
  vatTreatment: VatTreatment.UNSPECIFIED,
  ...more,
});
const year = new Date().getFullYear();

async function createOrganization(): Promise<string> {
  const details = {
    name: 'Bakkerij De Zon',
    kvkNumber: '12345678',
    btwId: 'NL001234567B01',
    iban: 'NL91ABNA0417164300',
  };
  const created = await admin.organizations.createOrganization(
    { details, plan: Plan.UNSPECIFIED, mode: Mode.UNSPECIFIED },
    operation(),
  );
  return created.id;
}

const request = (more: object = {}) => ({
  organizationId,
  customerId,
  lines: [line(10_000)],
  send: false,
  post: false,
  requireEInvoice: false,
  ...more,
});
const create = (more: object = {}, call = operation()) => gateway.invoices.createInvoice(request(more), call);
const get = (invoiceId: string) => admin.invoices.getInvoice({ organizationId, invoiceId }, testCall());
const list = async (more: object = {}) =>
  (await gateway.invoices.listInvoices({ organizationId, limit: 0, ...more }, testCall())).invoices;
const failure = async (promise: Promise<unknown>): Promise<AppError> => {
  const error = await promise.then(
    () => new Error('it went well'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof AppError)) throw error;
  return error;
};
const payment = (id: string, amountCents: number) => ({
  provider: 'sandbox',
  method: 'ideal',
  id,
  paidAt: new Date('2026-01-02T03:04:05Z'),
  amountCents,
});

describe('VAT treatments that the law would not accept', () => {
  const dutch = {
    ...{ companyName: 'Afnemer', addressLine1: 'Markt 1', postalCode: '1234 AB', city: 'Delft' },
    btwId: 'NL003456789B72',
  };
  const lines = () => [line(10_000, { vatTreatment: VatTreatment.INTRA_COMMUNITY })];
  const warned = {
    warnings: [expect.objectContaining({ code: 'intra_community_not_possible', field: '/lines/0/vatTreatment' })],
  };
  const strict = (isStrict: boolean) =>
    admin.organizations.updateOrganization(
      {
        ...{ organizationId, details: {}, plan: Plan.UNSPECIFIED, billingStatus: BillingStatus.UNSPECIFIED },
        documentRules: { eInvoice: EInvoiceRules.UNSPECIFIED, strict: isStrict },
      },
      testCall(),
    );

  test('are warned about when a draft is made or changed, and when it is issued', async () => {
    customerId = harness.peers.addCustomer(organizationId, dutch);
    expect((await create()).warnings).toEqual([]);
    const draft = await create({ lines: lines() });
    expect(draft).toMatchObject(warned);
    expect(
      await admin.invoices.updateDraft({ ...request(), invoiceId: draft.id, lines: lines() }, testCall()),
    ).toMatchObject(warned);
    const issue = () =>
      admin.invoices.issueInvoice({ organizationId, invoiceId: draft.id, skipEmail: false }, testCall());
    expect(await issue()).toMatchObject(warned);
    expect(await issue()).toMatchObject(warned);
    expect(await create({ lines: lines(), send: true })).toMatchObject(warned);
  });

  test('are refused where the organisation is strict, unless a payment brings them about', async () => {
    customerId = harness.peers.addCustomer(organizationId, dutch);
    const draft = await create({ lines: lines() });
    expect((await strict(true)).documentRules).toMatchObject({ strict: true, eInvoice: EInvoiceRules.PEPPOL });
    const refusal = { code: 'validation', details: [expect.objectContaining({ path: '/lines/0/vatTreatment' })] };
    expect(await failure(create({ lines: lines() }))).toMatchObject(refusal);
    expect(await failure(create({ lines: lines(), send: true }))).toMatchObject(refusal);
    const issue = admin.invoices.issueInvoice({ organizationId, invoiceId: draft.id, skipEmail: false }, testCall());
    expect(await failure(issue)).toMatchObject(refusal);
    const change = admin.invoices.updateDraft({ ...request(), invoiceId: draft.id, lines: lines() }, testCall());
    expect(await failure(change)).toMatchObject(refusal);
    expect((await create()).warnings).toEqual([]);
    const paid = await create({ lines: lines(), send: true, checkoutId: randomUUID() });
    expect(paid).toMatchObject({ number: `${year}-0001`, ...warned });
    await strict(false);
    expect(await create({ lines: lines() })).toMatchObject(warned);
  });

  test('of an offer: by who is known to buy, without what that person still fills in', async () => {
    const offer = (more: object) => admin.invoices.priceLines({ organizationId, lines: lines(), ...more }, testCall());
    expect((await offer({})).warnings).toEqual([]);
    expect(await offer({ buyer: Party.create({}) })).toMatchObject(warned);
    const german = { buyer: Party.fromPartial({ companyName: 'Käufer', countryCode: 'DE', btwId: 'DE136695976' }) };
    expect((await offer(german)).warnings).toEqual([]);
    await strict(true);
    expect((await offer(german)).warnings).toEqual([]);
    expect(await failure(offer({ buyer: Party.create({}) }))).toMatchObject({
      code: 'validation',
      details: [expect.objectContaining({ path: '/lines/0/vatTreatment' })],
    });
  });
});

describe('creating', () => {
  test('a draft has a stand-in number and is not e-mailed', async () => {
    const created = await create();
    expect(created).toMatchObject({ emailed: false, emailError: 'draft' });
    expect(created.number).toBe(`CONCEPT-${created.id.slice(0, 8).toUpperCase()}`);
    expect(created.publicToken.length).toBeGreaterThanOrEqual(22);
    expect(harness.peers.mailed).toEqual([]);
    expect(await get(created.id)).toMatchObject({
      status: InvoiceStatus.DRAFT,
      totals: { exclCents: 10_000, vatCents: 2_100, inclCents: 12_100 },
    });
  });

  test('an issued invoice has the next number, both parties and is e-mailed', async () => {
    const first = await create({ send: true });
    const second = await create({ send: true });
    expect([first.number, second.number]).toEqual([`${year}-0001`, `${year}-0002`]);
    expect(second).toMatchObject({ emailed: true, emailError: '' });
    expect(harness.peers.mailed).toEqual([first.id, second.id]);
    expect(await get(second.id)).toMatchObject({
      status: InvoiceStatus.SENT,
      kind: InvoiceKind.INVOICE,
      number: `${year}-0002`,
      seller: { name: 'Bakkerij De Zon', iban: 'NL91ABNA0417164300' },
      buyer: { name: 'Klant', email: 'klant@example.com' },
      language: 'nl',
      publicUrl: `https://pay.example/p/${second.publicToken}`,
    });
  });

  test.each([
    [{ countryCode: 'DE' }, undefined, 'de'],
    [{ countryCode: 'DE', language: 'fr' }, undefined, 'fr'],
    [{ countryCode: 'DE', language: 'fr' }, 'en', 'en'],
    // As an older or newer catalog may say.
    [{ countryCode: 'DE', language: 'es' }, undefined, 'de'],
  ])('a customer of %j whose invoice is asked for in %s reads %s', async (details, asked, language) => {
    const customerId = harness.peers.addCustomer(organizationId, details);
    const { id } = await create({ send: true, customerId, language: asked });
    expect((await get(id)).language).toBe(language);
  });

  test('dates are as given, else today and 14 days on', async () => {
    const given = await create({ send: true, issueDate: `${year - 1}-12-31`, dueDate: `${year}-01-01` });
    expect(given.number).toBe(`${year - 1}-0001`);
    expect(await get(given.id)).toMatchObject({ issueDate: `${year - 1}-12-31`, dueDate: `${year}-01-01` });
    const open = await get((await create({ send: true })).id);
    expect(Date.parse(open.dueDate) - Date.parse(open.issueDate)).toBe(14 * 86_400_000);
  });

  test('a later change of a party changes no issued invoice', async () => {
    const { id } = await create({ send: true });
    await admin.organizations.updateOrganization(
      {
        organizationId,
        details: { name: 'Andere Naam' },
        plan: Plan.UNSPECIFIED,
        billingStatus: BillingStatus.UNSPECIFIED,
      },
      testCall(),
    );
    expect((await get(id)).seller).toMatchObject({ name: 'Bakkerij De Zon' });
    expect((await get((await create({ send: true })).id)).seller).toMatchObject({ name: 'Andere Naam' });
  });

  test('a product fills the line in', async () => {
    const productId = harness.peers.addProduct(organizationId, {
      name: 'Brood',
      unitPriceCents: 250,
      vatRateBps: 900,
      unit: 'stuk',
    });
    const { id } = await create({ lines: [{ vatTreatment: VatTreatment.UNSPECIFIED, productId, quantity: '4' }] });
    expect((await get(id)).lines).toMatchObject([
      {
        description: 'Brood',
        quantity: '4',
        netCents: 1_000,
        vatTreatment: VatTreatment.REDUCED_9,
        unit: 'stuk',
        productId,
      },
    ]);
  });

  test('a profile has its own series and format', async () => {
    const profile = await admin.organizations.createProfile(
      { organizationId, name: 'Webshop', numberFormat: 'W-{YYYY}-{SEQ:5}', style: { accentColor: '#AA0000' } },
      operation(),
    );
    await create({ send: true });
    const created = await create({ send: true, profileId: profile.id });
    expect(created.number).toBe(`W-${year}-00001`);
    expect(await get(created.id)).toMatchObject({ accentColor: '#aa0000', profileId: profile.id });
    expect((await list({ profileId: profile.id })).map(({ id }) => id)).toEqual([created.id]);
  });
});

describe('what documents say', () => {
  const said = {
    pricesIncludeVat: true,
    reference: 'PO-4711',
    note: 'Met dank.',
    period: { from: '2026-02-01', to: '2026-02-28' },
  };
  const lines = [
    { quantity: '3', unitPriceCents: 1000, unit: 'stuks', discountBps: 1_000, vatTreatment: VatTreatment.STANDARD_21 },
    { quantity: '1', unitPriceCents: 1, vatTreatment: VatTreatment.REDUCED_9 },
  ];

  test('prices including VAT come to what was asked; everything is frozen and the chain holds', async () => {
    const draft = await create({ ...said, lines });
    expect(await get(draft.id)).toMatchObject({ ...said, totals: { inclCents: 2701 } });
    await admin.invoices.issueInvoice({ organizationId, invoiceId: draft.id, skipEmail: true }, testCall());
    const issued = await get(draft.id);
    expect(issued).toMatchObject({ ...said, totals: { inclCents: 2701, exclCents: 2232, vatCents: 469 } });
    expect(issued.lines).toMatchObject([
      { unitPriceCents: 1000, grossCents: 2700, netCents: 2231, unit: 'stuks', discountBps: 1_000 },
      { unitPriceCents: 1, grossCents: 1, netCents: 1 },
    ]);
    const credit = { organizationId, invoiceId: draft.id, lines: [], reason: '' };
    const note = await admin.invoices.creditInvoice(credit, operation());
    expect(await get(note.id)).toMatchObject({ totals: { inclCents: 2701, exclCents: 2232 }, note: undefined });
    const { series } = await admin.invoices.verifyNumbers({ organizationId }, testCall());
    expect(series.map((each) => each.chainValid)).toEqual([true, true]);
  });

  test('a change of a draft keeps what it does not change', async () => {
    const { id } = await create({ ...said, lines });
    await admin.invoices.updateDraft({ organizationId, invoiceId: id, lines: [], dueDate: '2099-01-01' }, testCall());
    expect(await get(id)).toMatchObject({ ...said, totals: { inclCents: 2701 } });
  });

  test.each<[object, string]>([
    [{ reference: 'x'.repeat(101) }, '/reference'],
    [{ reference: 'a\nb' }, '/reference'],
    [{ note: 'x'.repeat(2_001) }, '/note'],
    [{ supplyDate: '2026-02-30' }, '/supplyDate'],
    [{ supplyDate: '2026-02-01', period: said.period }, '/supplyDate'],
    [{ period: { from: '2026-02-02', to: '2026-02-01' } }, '/period/to'],
    [{ period: { from: '', to: '2026-02-01' } }, '/period/from'],
    [{ lines: [{ ...lines[0], discountBps: 10_001 }] }, '/lines/0/discountBps'],
    [{ lines: [{ ...lines[0], discountBps: -1 }] }, '/lines/0/discountBps'],
    [{ lines: [{ ...lines[0], unit: 'x'.repeat(31) }] }, '/lines/0/unit'],
  ])('%j is refused', async (more, path) => {
    expect(await failure(create(more))).toMatchObject({ kind: 'invalid', details: [{ path }] });
  });

  test('a supply date of its own', async () => {
    const { id } = await create({ send: true, supplyDate: '2026-01-15' });
    expect(await get(id)).toMatchObject({ supplyDate: '2026-01-15', period: undefined });
  });
});

describe('bad input', () => {
  test('every fault is said at once, and nothing is written', async () => {
    const error = await failure(
      create({
        send: true,
        customerId: 'nobody',
        profileId: randomUUID(),
        issueDate: '2026-02-30',
        lines: [line(100, { quantity: '0.1234567' }), { vatTreatment: VatTreatment.UNSPECIFIED }],
      }),
    );
    expect(error).toMatchObject({ kind: 'invalid', code: 'validation' });
    expect(error.details!.map(({ path }) => path).sort()).toEqual([
      '/customerId',
      '/issueDate',
      '/lines/0/quantity',
      '/lines/1/unitPriceCents',
      '/profileId',
    ]);
    expect(await list()).toEqual([]);
  });

  test('a foreign id looks exactly like an absent one', async () => {
    const other = await createOrganization();
    const foreign = {
      customerId: harness.peers.addCustomer(other, {}),
      productId: harness.peers.addProduct(other, {}),
      profileId: (await admin.organizations.getOrganization({ organizationId: other }, testCall())).profiles[0]!.id,
    };
    const absent = { customerId: randomUUID(), productId: randomUUID(), profileId: randomUUID() };
    const faultsOf = async ({ productId, ...ids }: typeof foreign) =>
      (await failure(create({ ...ids, lines: [line(1, { productId })] }))).details;
    expect(await faultsOf(foreign)).toEqual(await faultsOf(absent));
    const { id } = await create();
    const seen = (organization: string, invoiceId: string) =>
      failure(admin.invoices.getInvoice({ organizationId: organization, invoiceId }, testCall()));
    const [strange, unknown] = [await seen(other, id), await seen(other, randomUUID())];
    expect([strange.kind, strange.message]).toEqual([unknown.kind, unknown.message]);
  });

  test('a due date before the issue date', async () => {
    const { details } = await failure(create({ issueDate: '2026-05-02', dueDate: '2026-05-01' }));
    expect(details).toMatchObject([{ path: '/dueDate' }]);
  });

  test('the description of a 10 kB line is refused, 500 lines are not', async () => {
    expect((await failure(create({ lines: [{ ...line(1), description: 'x'.repeat(10_000) }] }))).details).toMatchObject(
      [{ path: '/lines/0/description' }],
    );
    expect((await create({ send: true, lines: Array.from({ length: 500 }, () => line(1)) })).number).toBe(
      `${year}-0001`,
    );
  });

  test('what only operators or cashiers may call', async () => {
    const { id } = await create();
    const calls = [
      gateway.invoices.issueInvoice({ organizationId, invoiceId: id, skipEmail: false }, testCall()),
      gateway.invoices.deleteDraft({ organizationId, invoiceId: id }, testCall()),
      gateway.invoices.creditInvoice({ organizationId, invoiceId: id, lines: [], reason: '' }, testCall()),
      gateway.invoices.verifyNumbers({}, testCall()),
      gateway.invoices.recordPayment({ organizationId, invoiceId: id, payment: payment('x', 1) }, testCall()),
      gateway.organizations.updateOrganization(
        { organizationId, details: {}, plan: Plan.UNSPECIFIED, billingStatus: BillingStatus.UNSPECIFIED },
        testCall(),
      ),
      harness.as('notification').invoices.createInvoice(request(), operation()),
    ];
    for (const call of calls) expect(await failure(call)).toMatchObject({ kind: 'forbidden' });
  });
});

describe('running an operation again', () => {
  test('meets the same draft, the same invoice, and asks for the mail again', async () => {
    const draft = operation();
    expect(await create({}, draft)).toEqual(await create({}, draft));
    const issue = operation();
    const first = await create({ send: true }, issue);
    expect(first.id).toBe(issue.operationId);
    expect(await create({ send: true }, issue)).toEqual(first);
    expect(harness.peers.mailed).toEqual([first.id, first.id]);
    expect(await list()).toHaveLength(2);
  });

  test('sixteen at once are one invoice', async () => {
    const { operationId } = operation();
    const answers = await Promise.all(Array.from({ length: 16 }, () => create({ send: true }, operation(operationId))));
    expect(new Set(answers.map(({ number }) => number)).size).toBe(1);
    expect(await list()).toHaveLength(1);
  });

  test('the id of another organisation is refused', async () => {
    const { id } = await create();
    const other = await createOrganization();
    const otherCustomer = harness.peers.addCustomer(other, {});
    const error = await failure(create({ organizationId: other, customerId: otherCustomer }, operation(id)));
    expect(error).toMatchObject({ kind: 'conflict' });
  });

  test('a draft that was issued answers its number', async () => {
    const call = operation();
    const { id } = await create({}, call);
    await admin.invoices.issueInvoice({ organizationId, invoiceId: id, skipEmail: false }, testCall());
    expect(await create({}, call)).toMatchObject({ id, number: `${year}-0001`, emailed: true });
    expect(await list()).toHaveLength(1);
  });

  test('a draft that was deleted does not come back', async () => {
    const call = operation();
    const { id } = await create({}, call);
    await admin.invoices.deleteDraft({ organizationId, invoiceId: id }, testCall());
    expect(await failure(create({}, call))).toMatchObject({ kind: 'conflict' });
    expect(await list()).toEqual([]);
  });
});

describe('sending', () => {
  test('a customer without an address', async () => {
    customerId = harness.peers.addCustomer(organizationId, { email: undefined });
    expect(await create({ send: true })).toMatchObject({ emailed: false, emailError: 'no_recipient' });
    expect(harness.peers.mailed).toEqual([]);
  });

  test('what the mail service answers is passed on', async () => {
    harness.peers.sendInvoice = async () => ({ emailed: false, emailError: 'recipient_rejected' });
    expect(await create({ send: true })).toMatchObject({
      number: `${year}-0001`,
      emailed: false,
      emailError: 'recipient_rejected',
    });
  });

  test('a mail service that fails, or is late: issued all the same', async () => {
    harness.peers.sendInvoice = () => Promise.reject(new Error('no'));
    expect(await create({ send: true })).toMatchObject({ emailed: false, emailError: 'smtp_unavailable' });
    harness.peers.sendInvoice = () =>
      new Promise((resolve) => setTimeout(resolve, 3_000, { emailed: true, emailError: '' }));
    const call = { ...operation(), deadline: Date.now() + 1_000 };
    expect(await create({ send: true }, call)).toMatchObject({
      number: `${year}-0002`,
      emailed: false,
      emailError: 'timeout',
    });
  });

  test('in arrears: no sending, but drafts, and what a payer paid for', async () => {
    const { id } = await create();
    await admin.organizations.updateOrganization(
      { organizationId, details: {}, plan: Plan.UNSPECIFIED, billingStatus: BillingStatus.ARREARS },
      testCall(),
    );
    const blocked = { kind: 'blocked', code: 'billing_readonly' };
    expect(await failure(create({ send: true }))).toMatchObject(blocked);
    expect(
      await failure(admin.invoices.issueInvoice({ organizationId, invoiceId: id, skipEmail: true }, testCall())),
    ).toMatchObject(blocked);
    expect(await create()).toMatchObject({ emailError: 'draft' });
    const paid = await checkout.invoices.createInvoice(request({ send: true, checkoutId: randomUUID() }), operation());
    expect(paid.number).toBe(`${year}-0001`);
  });
});

describe('drafts', () => {
  const update = (invoiceId: string, changes: object) =>
    admin.invoices.updateDraft({ organizationId, invoiceId, lines: [], ...changes }, testCall());
  const issue = (invoiceId: string, skipEmail = false) =>
    admin.invoices.issueInvoice({ organizationId, invoiceId, skipEmail }, testCall());

  test('a change replaces what is given and computes again', async () => {
    const { id } = await create({ dueDate: '2099-01-01' });
    const changed = await update(id, { lines: [line(200, { quantity: '2' })] });
    expect(changed).toMatchObject({ totals: { inclCents: 484 }, dueDate: '2099-01-01' });
    expect((await failure(update(id, { customerId: randomUUID() }))).details).toMatchObject([{ path: '/customerId' }]);
    expect(await get(id)).toMatchObject({ totals: { inclCents: 484 }, customerId });
  });

  test('what a draft says of itself is changed and cleared, and issued as it then is', async () => {
    const { id } = await create({ reference: 'PO-1', supplyDate: '2026-11-01' });
    const period = { from: '2026-11-01', to: '2026-11-30' };
    const changed = await update(id, { lines: [line(1_000)], pricesIncludeVat: true, note: 'Met dank', period });
    expect(changed).toMatchObject({ totals: { inclCents: 1_000 }, reference: 'PO-1', note: 'Met dank', period });
    expect(changed.supplyDate).toBeUndefined();
    expect((await failure(update(id, { supplyDate: '2026-11-01', period }))).details).toMatchObject([
      { path: '/supplyDate' },
    ]);
    expect(await update(id, { reference: '', supplyDate: '2026-11-02' })).toMatchObject({ supplyDate: '2026-11-02' });
    expect(await update(id, { lines: [line(1_000, { discountBps: 1_000, unit: 'uur' })] })).toMatchObject({
      lines: [{ unit: 'uur', discountBps: 1_000, grossCents: 900 }],
      totals: { inclCents: 900 },
    });
    await issue(id);
    const issued = await get(id);
    expect(issued).toMatchObject({ totals: { inclCents: 900 }, pricesIncludeVat: true, supplyDate: '2026-11-02' });
    expect([issued.reference, issued.period]).toEqual([undefined, undefined]);
  });

  test('issuing keeps id, token and place in the list', async () => {
    const draft = await create();
    await create();
    const issued = await issue(draft.id);
    expect(issued).toMatchObject({
      id: draft.id,
      publicToken: draft.publicToken,
      number: `${year}-0001`,
      emailed: true,
    });
    expect(await issue(draft.id)).toEqual(issued);
    expect((await list()).map(({ id }) => id)[1]).toBe(draft.id);
    expect(await get(draft.id)).toMatchObject({ status: InvoiceStatus.SENT });
  });

  test('issuing without e-mail', async () => {
    const { id } = await create();
    expect(await issue(id, true)).toMatchObject({ number: `${year}-0001`, emailed: false, emailError: '' });
    expect(harness.peers.mailed).toEqual([]);
  });

  test('an issued invoice is not changed and not deleted', async () => {
    const { id } = await create({ send: true });
    expect(await failure(update(id, { dueDate: '2099-01-01' }))).toMatchObject({ kind: 'conflict' });
    expect(await failure(admin.invoices.deleteDraft({ organizationId, invoiceId: id }, testCall()))).toMatchObject({
      kind: 'conflict',
    });
  });

  test('a mask clears what it names; without one what is given changes', async () => {
    const { id } = await create({ dueDate: '2099-01-01', reference: 'PO 7', note: 'Dag' });
    const cleared = await update(id, { updateMask: ['due_date', 'note', 'language'], language: 'de' });
    expect(cleared).toMatchObject({ reference: 'PO 7', note: undefined, language: 'de', revision: 2 });
    expect(cleared.dueDate).not.toBe('2099-01-01');
    expect(await update(id, { note: 'Hallo' })).toMatchObject({ reference: 'PO 7', note: 'Hallo', revision: 3 });
    for (const field of ['customer_id', 'lines'])
      expect((await failure(update(id, { updateMask: [field] }))).kind).toBe('invalid');
    expect((await failure(update(id, { updateMask: ['number'] }))).details).toMatchObject([{ path: '/updateMask' }]);
  });

  test('what a caller has not seen is neither overwritten nor discarded, and concurrent changes of other fields all count', async () => {
    const { id } = await create();
    await update(id, { note: 'Een', revision: 1 });
    for (const lost of [
      update(id, { note: 'Twee', revision: 1 }),
      admin.invoices.deleteDraft({ organizationId, invoiceId: id, revision: 1 }, testCall()),
    ])
      expect(await failure(lost)).toMatchObject({
        code: 'revision_conflict',
        publicMessage: expect.stringContaining('note by') as string,
      });
    await Promise.all([
      update(id, { reference: 'PO 8' }),
      update(id, { dueDate: '2099-02-02' }),
      update(id, { language: 'fr' }),
    ]);
    expect(await get(id)).toMatchObject({
      note: 'Een',
      reference: 'PO 8',
      dueDate: '2099-02-02',
      language: 'fr',
      revision: 5,
    });
    await admin.invoices.deleteDraft({ organizationId, invoiceId: id, revision: 5 }, testCall());
    const { entries } = await admin.history.listHistory({ organizationId, limit: 100 }, testCall());
    expect(entries.filter(({ subject }) => subject?.id === id).map(({ action }) => action)).toEqual([
      'draft.discarded',
      ...Array.from({ length: 4 }, () => 'draft.updated'),
      'draft.created',
    ]);
  });

  test('deleted is gone', async () => {
    const { id } = await create();
    await admin.invoices.deleteDraft({ organizationId, invoiceId: id }, testCall());
    expect(await failure(get(id))).toMatchObject({ kind: 'absent' });
    expect(await failure(issue(id))).toMatchObject({ kind: 'absent' });
  });

  test('changes and issue at once: what is issued is one of the two, whole', async () => {
    const { id } = await create({ lines: [line(100)] });
    const [issued] = await Promise.all([issue(id), update(id, { lines: [line(200)] }).catch(() => undefined)]);
    const { totals, lines } = await get(id);
    expect(issued.number).toBe(`${year}-0001`);
    expect(totals!.exclCents).toBe(lines[0]!.unitPriceCents);
  });
});

describe('credit notes', () => {
  const credit = (invoiceId: string, lines: { line: number; quantity?: string }[] = [], call = operation()) =>
    admin.invoices.creditInvoice({ organizationId, invoiceId, lines, reason: 'Retour' }, call);

  test('a whole credit mirrors the invoice in a series of its own, once', async () => {
    const original = await create({ send: true, lines: [line(333, { quantity: '1.5' }), line(50)] });
    const call = operation();
    const note = await credit(original.id, [], call);
    expect(note).toMatchObject({ number: `C-${year}-0001`, emailed: true });
    expect(await credit(original.id, [], call)).toEqual(note);
    const [before, after] = [await get(original.id), await get(note.id)];
    expect(after).toMatchObject({
      kind: InvoiceKind.CREDIT_NOTE,
      creditedInvoiceId: original.id,
      creditedNumber: original.number,
      totals: before.totals,
      lines: before.lines,
    });
    expect((await failure(credit(original.id))).details).toMatchObject([{ path: '/lines' }]);
    expect((await failure(credit(note.id))).details).toMatchObject(
      [{ path: '/invoiceId' }, { path: '/lines' }].slice(0, 1),
    );
  });

  test('eight at once never give back more than there was', async () => {
    const original = await create({ send: true, lines: [line(100, { quantity: '5' })] });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, () => credit(original.id, [{ line: 0, quantity: '1' }])),
    );
    const done = outcomes.flatMap((each) => (each.status === 'fulfilled' ? [each.value.number] : []));
    expect(done.sort()).toEqual([1, 2, 3, 4, 5].map((seq) => `C-${year}-000${seq}`));
    const { series } = await admin.invoices.verifyNumbers({ organizationId }, testCall());
    expect(series).toMatchObject([
      { count: 5, gapless: true, chainValid: true },
      { count: 1, gapless: true, chainValid: true },
    ]);
  });
});

describe('payments', () => {
  const pay = (invoiceId: string, id: string, amountCents = 12_100) =>
    checkout.invoices.recordPayment({ organizationId, invoiceId, payment: payment(id, amountCents) }, operation());

  test('the first makes it paid; the same again changes nothing; another is refused', async () => {
    const { id } = await create({ send: true });
    const paymentId = randomUUID();
    expect(await pay(id, paymentId)).toMatchObject({ status: InvoiceStatus.PAID, payment: { id: paymentId } });
    expect(await pay(id, paymentId)).toMatchObject({ status: InvoiceStatus.PAID });
    expect(await failure(pay(id, randomUUID()))).toMatchObject({ kind: 'exists', code: 'already_paid' });
    expect(await list()).toMatchObject([{ id, status: InvoiceStatus.PAID }]);
    const second = await create({ send: true });
    expect(await failure(pay(second.id, paymentId))).toMatchObject({ kind: 'exists' });
    expect(await get(second.id)).toMatchObject({ status: InvoiceStatus.SENT });
  });

  test('another amount, a draft and an unknown invoice are refused', async () => {
    const { id } = await create({ send: true });
    expect((await failure(pay(id, 'x', 12_099))).details).toMatchObject([{ path: '/payment/amountCents' }]);
    expect(await failure(pay((await create()).id, 'x'))).toMatchObject({ kind: 'absent' });
    expect(await failure(pay(randomUUID(), 'x'))).toMatchObject({ kind: 'absent' });
  });
});

describe('documents', () => {
  const render = (invoiceId: string, format: DocumentFormat) =>
    admin.invoices.renderInvoice({ organizationId, invoiceId, format }, testCall());

  test('a PDF is the same every time; a draft has none', async () => {
    const { id } = await create({ send: true });
    const first = await render(id, DocumentFormat.PDF);
    expect(first).toMatchObject({ contentType: 'application/pdf', fileName: `Factuur-${year}-0001.pdf` });
    expect(first.content.subarray(0, 5).toString()).toBe('%PDF-');
    expect((await render(id, DocumentFormat.PDF)).content.equals(first.content)).toBe(true);
    expect(await failure(render((await create()).id, DocumentFormat.PDF))).toMatchObject({
      kind: 'blocked',
      code: 'draft',
    });
    expect(await failure(render(randomUUID(), DocumentFormat.PDF))).toMatchObject({ kind: 'absent' });
  });

  test('the PDF of a paid invoice says so; the original stays as it was first rendered', async () => {
    const { id } = await create({ send: true });
    const { totals } = await get(id);
    const original = (await render(id, DocumentFormat.PDF)).content;
    await checkout.invoices.recordPayment(
      { organizationId, invoiceId: id, payment: payment('tr_sealed', totals!.inclCents) },
      operation(),
    );
    const copy = (await render(id, DocumentFormat.PDF)).content;
    expect(copy.equals(original)).toBe(false);
    const [before = '', after = ''] = (await readPdfs([original, copy])).map(textOf);
    expect([before.includes('Bedankt voor uw betaling'), after.includes('Bedankt voor uw betaling')]).toEqual([
      false,
      true,
    ]);
    expect((await render(id, DocumentFormat.ORIGINAL_PDF)).content.equals(original)).toBe(true);
  });

  test('an e-invoice where it is valid; wanted and impossible: no number is given', async () => {
    const { id } = await create({ send: true });
    expect((await get(id)).hasEInvoice).toBe(false);
    expect(await failure(render(id, DocumentFormat.UBL))).toMatchObject({ kind: 'blocked', code: 'no_e_invoice' });
    const refused = await failure(create({ send: true, requireEInvoice: true }));
    expect(refused).toMatchObject({ kind: 'invalid', code: 'validation' });

    const unchanged = { plan: Plan.UNSPECIFIED, billingStatus: BillingStatus.UNSPECIFIED };
    const address = { addressLine1: 'Markt 1', postalCode: '1234 AB', city: 'Delft' };
    await admin.organizations.updateOrganization({ ...unchanged, organizationId, details: address }, testCall());
    customerId = harness.peers.addCustomer(organizationId, { ...address, kvkNumber: '87654321' });
    const valid = await create({ send: true, requireEInvoice: true });
    expect(valid.number).toBe(`${year}-0002`);
    expect((await get(valid.id)).hasEInvoice).toBe(true);
    expect((await render(valid.id, DocumentFormat.UBL)).content.toString()).toContain(`<cbc:ID>${year}-0002</cbc:ID>`);

    const original = (await render(valid.id, DocumentFormat.UBL)).content;
    const { totals } = await get(valid.id);
    await checkout.invoices.recordPayment(
      { organizationId, invoiceId: valid.id, payment: payment('tr_ubl', totals!.inclCents) },
      operation(),
    );
    const copy = (await render(valid.id, DocumentFormat.UBL)).content.toString();
    expect(copy).toContain('<cbc:PayableAmount currencyID="EUR">0.00<');
    expect(copy).not.toContain('PaymentMeans');
    expect((await render(valid.id, DocumentFormat.ORIGINAL_UBL)).content.equals(original)).toBe(true);
    expect((await render(valid.id, DocumentFormat.CII)).content.toString()).toContain(`<ram:ID>${year}-0002</ram:ID>`);

    // The organisation's rules are frozen with the document.
    await admin.organizations.updateOrganization(
      { ...unchanged, organizationId, documentRules: { eInvoice: EInvoiceRules.NATIONAL } },
      testCall(),
    );
    const national = await create({ send: true, requireEInvoice: true });
    expect((await render(national.id, DocumentFormat.UBL)).content.toString()).toContain('urn:fdc:nen.nl:nlcius:v1.0');
    expect((await render(valid.id, DocumentFormat.UBL)).content.toString()).not.toContain('nlcius');
  });

  test('what a message is made of is what is had apart: as issued, without an e-invoice, paid, and of a credit note', async () => {
    const notification = harness.as('notification');
    const whole = (invoiceId: string) =>
      notification.invoiceMails.getInvoiceMail({ organizationId, invoiceId }, testCall());
    const apart = async (invoiceId: string) => {
      const invoice = await get(invoiceId);
      return {
        invoice,
        brand: await notification.brands.getBrand({ organizationId, invoiceId }, testCall()),
        ubl: invoice.hasEInvoice ? await render(invoiceId, DocumentFormat.UBL) : undefined,
        pdf: await render(invoiceId, DocumentFormat.PDF),
      };
    };
    const plain = await create({ send: true });
    const address = { addressLine1: 'Markt 1', postalCode: '1234 AB', city: 'Delft' };
    await admin.organizations.updateOrganization(
      { plan: Plan.UNSPECIFIED, billingStatus: BillingStatus.UNSPECIFIED, organizationId, details: address },
      testCall(),
    );
    customerId = harness.peers.addCustomer(organizationId, { ...address, kvkNumber: '87654321' });
    const { id } = await create({ send: true });
    const note = await admin.invoices.creditInvoice(
      { organizationId, invoiceId: (await create({ send: true })).id, lines: [], reason: 'Back' },
      operation(),
    );
    const told = await Promise.all([plain.id, id, note.id].map(whole));
    expect(told.map(({ ubl }) => ubl !== undefined)).toEqual([false, true, true]);
    expect(told).toEqual(await Promise.all([plain.id, id, note.id].map(apart)));

    const paid = payment('tr_mailed', (await get(id)).totals!.inclCents);
    await checkout.invoices.recordPayment({ organizationId, invoiceId: id, payment: paid }, operation());
    const copy = await whole(id);
    expect(copy).toEqual(await apart(id));
    expect(
      [copy.pdf, copy.ubl].map((file, at) => file!.content.equals([told[1]!.pdf, told[1]!.ubl][at]!.content)),
    ).toEqual([false, false]);
    expect(await failure(whole((await create()).id))).toMatchObject({ kind: 'blocked', code: 'draft' });
    expect(await failure(whole(randomUUID()))).toMatchObject({ kind: 'absent' });
  });

  test('the public page shows it; a draft, and a token of nobody, have none', async () => {
    const page = (token: string) => fetch(`http://127.0.0.1:${harness.billing.httpPort}/p/${token}`);
    const { publicToken } = await create({ send: true });
    const shown = await page(publicToken);
    expect([shown.status, await shown.text()]).toEqual([200, expect.stringContaining(`${year}-0001`)]);
    expect((await page(`${publicToken}/invoice.pdf`)).headers.get('content-type')).toBe('application/pdf');
    expect((await page('x'.repeat(32))).status).toBe(404);
    expect((await page((await create()).publicToken)).status).toBe(404);
    const byToken = await checkout.invoices.getPublicInvoice({ publicToken }, testCall());
    expect(byToken).toMatchObject({ organizationId, publicToken });
    expect(await failure(checkout.invoices.getPublicInvoice({ publicToken: 'x' }, testCall()))).toMatchObject({
      kind: 'absent',
    });
  });
});

describe('lists and numbers', () => {
  test('the newest 50, drafts and issued together, newest first', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 55; index++) {
      ids.push((await create({ send: index % 2 === 0 })).id);
      // Two in one millisecond have no order.
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    const listed = await list();
    expect(listed.map(({ id }) => id)).toEqual(ids.reverse().slice(0, 50));
    expect(listed[0]).toMatchObject({ status: InvoiceStatus.SENT, totalInclCents: 12_100, customerId });
    expect(listed[1]).toMatchObject({ status: InvoiceStatus.DRAFT });
  });

  test('two processes on one series: no gap, no repeat, one chain', async () => {
    const second = await harness.startSecond();
    const other = harness.as('gateway', second);
    // All of them wait in one series, and the last for all before it: as long as that takes on a machine that does other things beside.
    const patient = () => testCall({ operationId: randomUUID(), deadline: Date.now() + 60_000 });
    const created = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        (index % 2 ? gateway : other).invoices.createInvoice(request({ send: true }), patient()),
      ),
    );
    await second.close();
    const numbers = new Set(created.map(({ number }) => number));
    expect(numbers.size).toBe(200);
    const { series } = await admin.invoices.verifyNumbers({ organizationId }, testCall());
    expect(series).toMatchObject([
      { count: 200, last: `${year}-0200`, gapless: true, chainValid: true, organizationId },
    ]);
  }, 90_000);

  test('what was tampered with shows, and stops a process that starts', async () => {
    for (let index = 0; index < 3; index++) await create({ send: true });
    const verify = async () => (await admin.invoices.verifyNumbers({ organizationId }, testCall())).series[0]!;
    const connection = await harness.store.connect();
    const invoices = connection.getClient().db('billing').collection('invoices');
    await invoices.updateOne({ organizationId, seq: 2 }, { $set: { 'buyer.name': 'Iemand anders' } });
    expect(await verify()).toMatchObject({ gapless: true, chainValid: false });
    await invoices.deleteOne({ organizationId, seq: 2 });
    expect(await verify()).toMatchObject({ count: 2, gapless: false });
    const restarted = await harness.startSecond();
    const error = await failure(
      harness.as('gateway', restarted).invoices.createInvoice(request({ send: true }), operation()),
    );
    await restarted.close();
    expect(error).toMatchObject({ kind: 'internal', code: 'series_broken' });
  });
});

describe('sending again', () => {
  const resend = (invoiceId: string, to?: string) =>
    admin.invoices.resendInvoice({ organizationId: '', invoiceId, ...(to !== undefined && { to }) }, operation());

  test('an issued document goes to its buyer or another address, and by post', async () => {
    const { id } = await create({ send: true });
    expect(await resend(id)).toEqual({ id, to: 'klant@example.com', emailed: true, emailError: '' });
    expect(await resend(id, 'boekhouding@example.nl')).toMatchObject({ to: 'boekhouding@example.nl', emailed: true });
    expect(harness.peers.mailed).toEqual([id, `${id} to klant@example.com`, `${id} to boekhouding@example.nl`]);
    const call = operation();
    const posted = await admin.invoices.postInvoice({ organizationId: '', invoiceId: id }, call);
    expect(posted).toEqual({ id, letterId: call.operationId, status: 'pending', error: '' });
    expect(harness.peers.posted).toEqual([id]);
  });

  test('a draft is not sent, nor what has no address, nor anything in arrears', async () => {
    const draft = await create();
    expect(await failure(resend(draft.id))).toMatchObject({ code: 'draft' });
    const { id } = await create({ send: true, customerId: harness.peers.addCustomer(organizationId, { email: '' }) });
    for (const to of [undefined, 'nobody'])
      expect((await failure(resend(id, to))).details).toMatchObject([{ path: '/to' }]);
    await admin.organizations.updateOrganization(
      { organizationId, details: {}, plan: Plan.UNSPECIFIED, billingStatus: BillingStatus.ARREARS },
      testCall(),
    );
    expect(await failure(resend(id, 'klant@example.com'))).toMatchObject({ code: 'billing_readonly' });
    expect(await failure(resend(randomUUID()))).toMatchObject({ kind: 'absent' });
  });
});

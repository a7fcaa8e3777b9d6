import { randomUUID } from 'node:crypto';
import { VatTreatment } from '@invoicing/contracts/invoicing/billing/v1/line';
import { BillingStatus, Mode, Plan } from '@invoicing/contracts/invoicing/billing/v1/organizations';
import { testCall } from '@invoicing/testing';
import { startBillingHarness, type BillingHarness } from '../testing/billing-harness';

let harness: BillingHarness;
let admin: ReturnType<BillingHarness['as']>;

beforeAll(async () => {
  harness = await startBillingHarness();
  admin = harness.as('admin');
});
afterAll(() => harness?.close());

const create = (details: object, call = testCall({ operationId: randomUUID() })) =>
  admin.organizations.createOrganization({ details, plan: Plan.UNSPECIFIED, mode: Mode.TEST }, call);
const update = (organizationId: string, change: object) =>
  admin.organizations.updateOrganization(
    { organizationId, details: {}, plan: Plan.UNSPECIFIED, billingStatus: BillingStatus.UNSPECIFIED, ...change },
    testCall(),
  );

// One black pixel.
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
  'base64',
);

test('an organisation comes with one profile and the defaults of the Netherlands', async () => {
  const call = testCall({ operationId: randomUUID() });
  const created = await create({ name: 'Bakkerij De Zon', iban: 'NL91 ABNA 0417 1643 00' }, call);
  expect(created).toMatchObject({
    id: call.operationId,
    details: { name: 'Bakkerij De Zon', iban: 'NL91ABNA0417164300', countryCode: 'NL', timezone: 'Europe/Amsterdam' },
    plan: Plan.STANDARD,
    billingStatus: BillingStatus.ACTIVE,
    mode: Mode.TEST,
    currency: 'EUR',
    profiles: [{ name: 'Bakkerij De Zon', numberFormat: '{YYYY}-{SEQ:4}' }],
  });
  expect(created.details!.bic).toBeUndefined();
  // The same operation again meets the same organisation, with the same profile.
  expect(await create({ name: 'Anders' }, call)).toEqual(created);
  expect(await harness.as('gateway').organizations.getOrganization({ organizationId: created.id }, testCall())).toEqual(
    created,
  );
});

test('a register number of any form is kept; in NL one without 8 digits comes with a warning', async () => {
  const odd = await create({ name: 'Zon', kvkNumber: '00000001002564440000' });
  expect(odd).toMatchObject({
    details: { kvkNumber: '00000001002564440000' },
    warnings: [{ code: 'not_a_kvk_number', field: '/kvkNumber' }],
  });
  expect((await update(odd.id, { details: { kvkNumber: '12345678' } })).warnings).toEqual([]);
  expect((await create({ name: 'Sonne', countryCode: 'DE', kvkNumber: 'HRB 12345' })).warnings).toEqual([]);
});

test('only what is given changes', async () => {
  const { id, profiles } = await create({ name: 'Zon', city: 'Delft', iban: 'NL91ABNA0417164300' });
  await update(id, { details: { city: 'Gouda', iban: '' } });
  const changed = await update(id, { plan: Plan.FREE, billingStatus: BillingStatus.ARREARS });
  expect(changed).toMatchObject({
    details: { name: 'Zon', city: 'Gouda' },
    plan: Plan.FREE,
    billingStatus: BillingStatus.ARREARS,
    mode: Mode.TEST,
    profiles,
  });
  expect(changed.details!.iban).toBeUndefined();
});

test('every fault is said at once, and nothing is written', async () => {
  const bad = { name: '', kvkNumber: '1'.repeat(31), btwId: 'X', iban: 'NL00', timezone: 'Nowhere' };
  await expect(create(bad)).rejects.toMatchObject({
    code: 'validation',
    details: ['/name', '/kvkNumber', '/btwId', '/iban', '/timezone'].map((path) => ({ path })),
  });
  const { id } = await create({ name: 'Zon' });
  await expect(update(id, { details: { name: 'Maan', iban: 'NL00' } })).rejects.toMatchObject({ code: 'validation' });
  const found = await admin.organizations.getOrganization({ organizationId: id }, testCall());
  expect(found.details!.name).toBe('Zon');
});

test('what is not there is not found', async () => {
  const organizationId = randomUUID();
  await expect(update(organizationId, { details: { name: 'x' } })).rejects.toMatchObject({ kind: 'absent' });
  await expect(admin.organizations.getOrganization({ organizationId }, testCall())).rejects.toMatchObject({
    kind: 'absent',
  });
  await expect(
    admin.organizations.createProfile({ organizationId, name: 'x', style: undefined }, testCall()),
  ).rejects.toMatchObject({ kind: 'absent' });
});

test('the newest organisation is listed first', async () => {
  const first = await create({ name: 'Eerste' });
  await new Promise((resolve) => setTimeout(resolve, 2));
  const second = await create({ name: 'Tweede' });
  const { organizations } = await admin.organizations.listOrganizations({}, testCall());
  expect(organizations.slice(0, 2).map(({ id }) => id)).toEqual([second.id, first.id]);

  const page = await admin.organizations.listOrganizations({ limit: 1 }, testCall());
  expect(page.organizations.map(({ id }) => id)).toEqual([second.id]);
  const next = await admin.organizations.listOrganizations({ limit: 1, cursor: page.cursor }, testCall());
  expect(next.organizations.map(({ id }) => id)).toEqual([first.id]);
  const all = await admin.organizations.listOrganizations({ limit: 1_000 }, testCall());
  expect(all.cursor).toBeUndefined();
});

test('a profile is made once, and its logo stands on what is issued with it', async () => {
  const { id: organizationId } = await create({ name: 'Zon' });
  const call = testCall({ operationId: randomUUID() });
  const style = { accentColor: '#AA5500', footer: 'Tot ziens', logo: PNG };
  const make = (logo = PNG) =>
    admin.organizations.createProfile({ organizationId, name: 'Webshop', style: { ...style, logo } }, call);
  const profile = await make();
  expect(profile).toMatchObject({
    id: call.operationId,
    name: 'Webshop',
    style: { accentColor: '#aa5500', footer: 'Tot ziens' },
  });
  expect(await make()).toEqual(profile);
  await expect(make(Buffer.from('<svg/>'))).rejects.toMatchObject({ details: [{ path: '/style/logo' }] });
  const { profiles } = await admin.organizations.getOrganization({ organizationId }, testCall());
  expect(profiles).toHaveLength(2);

  const { id, publicToken } = await admin.invoices.createInvoice(
    {
      organizationId,
      customerId: harness.peers.addCustomer(organizationId, {}),
      lines: [{ unitPriceCents: 100, vatTreatment: VatTreatment.UNSPECIFIED }],
      send: true,
      post: false,
      requireEInvoice: false,
      profileId: profile.id,
    },
    testCall(),
  );
  const logo = await fetch(`http://127.0.0.1:${harness.billing.httpPort}/p/${publicToken}/logo`);
  expect(Buffer.from(await logo.arrayBuffer()).equals(PNG)).toBe(true);

  // The same on the pages and in the e-mails of other services, whatever becomes of the profile.
  const { brands } = harness.as('checkout');
  const asIssued = {
    name: 'Webshop',
    accentColor: '#aa5500',
    footer: 'Tot ziens',
    logo: PNG,
    sellerName: 'Zon',
    test: true,
  };
  const changed = { name: 'Winkel', accentColor: '#005500' };
  await admin.organizations.updateProfile(
    { organizationId, profileId: profile.id, details: changed, updateMask: ['name', 'accent_color'] },
    testCall(),
  );
  expect(await brands.getBrand({ organizationId, invoiceId: id }, testCall())).toMatchObject(asIssued);
  const now = await brands.getBrand({ organizationId, profileId: profile.id }, testCall());
  expect(now).toMatchObject({ ...asIssued, ...changed });
  expect(await brands.getBrand({ organizationId }, testCall())).toMatchObject({ name: 'Zon', accentColor: '#1d4ed8' });
  await expect(brands.getBrand({ organizationId, invoiceId: randomUUID() }, testCall())).rejects.toMatchObject({
    kind: 'absent',
  });
});

test("limits are an operator's to change, within bounds", async () => {
  const { id: organizationId } = await admin.organizations.createOrganization(
    { details: { name: 'Begrensd BV' }, plan: Plan.UNSPECIFIED, mode: Mode.UNSPECIFIED },
    testCall(),
  );
  const set = (limits: object, as = admin) =>
    as.organizations.updateOrganization(
      {
        organizationId,
        details: {},
        plan: Plan.UNSPECIFIED,
        billingStatus: BillingStatus.UNSPECIFIED,
        limits,
      },
      testCall(),
    );
  const { limits } = await admin.organizations.getOrganization({ organizationId }, testCall());
  expect(limits).toEqual({ mailQuotaPerDay: 1_000, catchUpPeriods: 1 });
  expect((await set({ mailQuotaPerDay: 5 })).limits).toEqual({ mailQuotaPerDay: 5, catchUpPeriods: 1 });
  expect((await set({ catchUpPeriods: 0 })).limits).toEqual({ mailQuotaPerDay: 5, catchUpPeriods: 0 });
  await expect(set({ mailQuotaPerDay: -1, catchUpPeriods: 1_001 })).rejects.toMatchObject({
    details: [{ path: '/mailQuotaPerDay' }, { path: '/catchUpPeriods' }],
  });
  const owner = { organizationId, userId: 'someone', role: 'owner' as const };
  const application = harness.as('application');
  await expect(
    application.organizations.updateOrganization(
      {
        organizationId,
        details: {},
        plan: Plan.UNSPECIFIED,
        billingStatus: BillingStatus.UNSPECIFIED,
        limits: { mailQuotaPerDay: 1_000_000 },
      },
      testCall({ principal: { service: 'application', ...owner } }),
    ),
  ).rejects.toMatchObject({ kind: 'forbidden' });
});

test('people create organisations where an operator lets them, of the mode that the operator chose', async () => {
  const userId = randomUUID();
  const asked = { details: { name: 'Self-made' }, plan: Plan.FREE, mode: Mode.LIVE } as never;
  const person = () => testCall({ principal: { service: 'application', userId }, operationId: randomUUID() });
  const create = (to?: { port: number }, call = person()) =>
    harness.as('application', to).organizations.createOrganization(asked, call);
  await expect(create()).rejects.toMatchObject({ kind: 'blocked', code: 'sign_up_closed' });
  const open = await harness.startWith({ selfSignUp: 'test' });
  try {
    await expect(create(open, testCall())).rejects.toMatchObject({ code: 'sign_up_closed' });
    const call = person();
    const made = await create(open, call);
    expect(made).toMatchObject({ details: { name: 'Self-made' }, plan: Plan.STANDARD, mode: Mode.TEST });
    expect((await create(open, call)).id).toBe(made.id);
  } finally {
    await open.close();
  }
});

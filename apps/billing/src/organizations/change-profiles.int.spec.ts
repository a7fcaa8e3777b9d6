import { randomUUID } from 'node:crypto';
import { VatTreatment } from '@invoicing/contracts/invoicing/billing/v1/line';
import { Mode, Plan, type UpdateProfileRequest } from '@invoicing/contracts/invoicing/billing/v1/organizations';
import { testCall, testPerson } from '@invoicing/testing';
import { startBillingHarness, type BillingHarness } from '../testing/billing-harness';

let harness: BillingHarness;
let admin: ReturnType<BillingHarness['as']>;
beforeAll(async () => {
  harness = await startBillingHarness();
  admin = harness.as('admin');
});
afterAll(() => harness?.close());

const THIS_YEAR = new Date().getUTCFullYear();
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
  'base64',
);

async function seller() {
  const { id, profiles } = await admin.organizations.createOrganization(
    { details: { name: 'Zon' }, plan: Plan.UNSPECIFIED, mode: Mode.TEST },
    testCall({ operationId: randomUUID() }),
  );
  const customerId = harness.peers.addCustomer(id, {});
  return { organizationId: id, profileId: profiles[0]!.id, customerId };
}
type Seller = Awaited<ReturnType<typeof seller>>;

const update = (profileId: string, details: object, more: Partial<UpdateProfileRequest> = {}) =>
  admin.organizations.updateProfile(
    { organizationId: '', profileId, details, updateMask: Object.keys(details), ...more },
    testCall(),
  );
const issue = async ({ organizationId, customerId }: Seller, changes: object = {}): Promise<string> => {
  const { number } = await admin.invoices.createInvoice(
    {
      organizationId,
      customerId,
      lines: [{ unitPriceCents: 100, vatTreatment: VatTreatment.UNSPECIFIED }],
      send: true,
      post: false,
      requireEInvoice: false,
      ...changes,
    },
    testCall({ operationId: randomUUID() }),
  );
  return number;
};
const policy = (organizationId: string) =>
  admin.organizations.updateOrganization(
    {
      organizationId,
      details: {},
      plan: 'PLAN_UNSPECIFIED',
      billingStatus: 'BILLING_STATUS_UNSPECIFIED',
      issuePolicy: { daysAhead: 800 },
    } as never,
    testCall(),
  );

test('the default profile changes its house style, and clears what the mask names', async () => {
  const { profileId } = await seller();
  const styled = await update(profileId, { name: 'Webshop', accentColor: '#AA5500', footer: 'Tot ziens', logo: PNG });
  expect(styled).toMatchObject({
    name: 'Webshop',
    hasLogo: true,
    style: { accentColor: '#aa5500', footer: 'Tot ziens' },
  });
  expect(styled.style?.logo).toEqual(PNG);
  const cleared = await update(profileId, {}, { updateMask: ['logo', 'footer', 'accent_color'] });
  expect(cleared).toMatchObject({ name: 'Webshop', hasLogo: false, style: { accentColor: '#1d4ed8', footer: '' } });
  expect(cleared.revision).toBe(styled.revision + 1);
  expect(await admin.organizations.getProfile({ organizationId: '', profileId }, testCall())).toEqual(cleared);
  await expect(update(profileId, { name: '' })).rejects.toMatchObject({ details: [{ path: '/name' }] });
  await expect(update(profileId, { logo: Buffer.from('<svg/>') })).rejects.toMatchObject({ code: 'validation' });
  await expect(update(profileId, {}, { updateMask: [] })).rejects.toMatchObject({ details: [{ path: '/updateMask' }] });
  await expect(update(randomUUID(), { name: 'x' })).rejects.toMatchObject({ kind: 'absent' });
});

test('a series that is empty takes a format and a start at once; one that has begun, from the next year on', async () => {
  const zon = await seller();
  await policy(zon.organizationId);
  const begun = await update(zon.profileId, { numberFormat: 'F-{YYYY}-{SEQ:5}', startNumber: 1_200 });
  expect(begun).toMatchObject({ numberFormat: 'F-{YYYY}-{SEQ:5}', starts: [{ year: THIS_YEAR, startNumber: 1_200 }] });
  expect([await issue(zon), await issue(zon)]).toEqual([`F-${THIS_YEAR}-01200`, `F-${THIS_YEAR}-01201`]);

  await expect(update(zon.profileId, { startNumber: 5 }, { year: THIS_YEAR })).rejects.toMatchObject({
    code: 'series_begun',
  });
  const later = await update(zon.profileId, { numberFormat: 'G{YYYY}/{SEQ}', startNumber: 7 });
  expect(later).toMatchObject({
    numberFormat: 'F-{YYYY}-{SEQ:5}',
    laterFormats: [{ fromYear: THIS_YEAR + 1, numberFormat: 'G{YYYY}/{SEQ}' }],
  });
  const nextYear = { issueDate: `${THIS_YEAR + 1}-06-15` };
  expect([await issue(zon), await issue(zon, nextYear), await issue(zon)]).toEqual([
    `F-${THIS_YEAR}-01202`,
    `G${THIS_YEAR + 1}/7`,
    `F-${THIS_YEAR}-01203`,
  ]);
  const { series } = await admin.invoices.verifyNumbers({ organizationId: zon.organizationId }, testCall());
  expect(
    series.map(({ count, gapless, chainValid, numbersUnique }) => [count, gapless, chainValid, numbersUnique]),
  ).toEqual([
    [4, true, true, true],
    [1, true, true, true],
  ]);
});

test('no format prints what another profile, or the same one in another year, prints', async () => {
  const { organizationId, profileId } = await seller();
  await admin.organizations.createProfile({ organizationId, name: 'Twee', numberFormat: 'T-{YYYY}-{SEQ}' }, testCall());
  await expect(update(profileId, { numberFormat: 'T-{YYYY}-{SEQ:3}' })).rejects.toMatchObject({
    details: [{ path: '/numberFormat' }],
  });
  // 2031-0001 in this form would be a number of 2031 in the next: a year turned round.
  const confusing = update(profileId, { numberFormat: '20{SEQ:2}-{YYYY}' }, { year: THIS_YEAR + 2 });
  await expect(confusing).rejects.toMatchObject({ details: [{ path: '/numberFormat' }] });
  await expect(update(profileId, { numberFormat: 'no sequence' })).rejects.toMatchObject({ code: 'validation' });
});

test('a first number and a change of the format at once: one of them waits for the other', async () => {
  for (let round = 0; round < 8; round++) {
    const zon = await seller();
    const second = await harness.startSecond();
    const other = harness.as('admin', second);
    const [changed, ...numbers] = await Promise.all([
      other.organizations
        .updateProfile(
          {
            organizationId: '',
            profileId: zon.profileId,
            details: { startNumber: 500 },
            updateMask: ['start_number'],
            year: THIS_YEAR,
          },
          testCall(),
        )
        .then(
          () => true,
          (error: { code: string }) => error.code,
        ),
      ...[1, 2, 3].map(() => issue(zon)),
    ]);
    const first = changed === true ? 500 : 1;
    expect([true, 'series_begun']).toContain(changed);
    expect(numbers.sort()).toEqual([0, 1, 2].map((at) => `${THIS_YEAR}-${String(first + at).padStart(4, '0')}`));
    await second.close();
  }
});

test('what a caller has not seen is not overwritten, but other profiles do not stand in the way', async () => {
  const { organizationId, profileId } = await seller();
  const { revision } = await admin.organizations.getProfile({ organizationId, profileId }, testCall());
  await admin.organizations.createProfile({ organizationId, name: 'Twee' }, testCall());
  const seen = await update(profileId, { footer: 'Een' }, { revision });
  await expect(update(profileId, { footer: 'Twee' }, { revision })).rejects.toMatchObject({
    code: 'revision_conflict',
    publicMessage: expect.stringContaining('footer by') as string,
  });
  await Promise.all(Array.from({ length: 5 }, (_, at) => update(profileId, { footer: `Voet ${at}` })));
  expect((await update(profileId, { footer: 'Een' })).revision).toBeGreaterThan(seen.revision);
});

test('who changed the organisation and its profiles is read as one list', async () => {
  const { organizationId, profileId } = await seller();
  const person = { ...testPerson(organizationId, 'owner') };
  await harness
    .as('application')
    .organizations.updateProfile(
      { organizationId, profileId, details: { footer: 'Dag' }, updateMask: ['footer'] },
      person,
    );
  await policy(organizationId);
  const { entries } = await admin.history.listHistory({ organizationId, limit: 0 }, testCall());
  expect(entries.map(({ action, fields, by }) => [action, fields, by?.kind])).toEqual([
    ['organization.updated', ['daysAhead'], 'operator'],
    ['profile.updated', ['footer'], 'user'],
    ['organization.created', [], 'operator'],
  ]);
});

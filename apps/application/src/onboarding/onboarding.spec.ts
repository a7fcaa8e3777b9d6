import { Organization } from '@invoicing/contracts/invoicing/billing/v1/organizations';
import { isNew, onboardingSteps } from './onboarding';

const details = { name: 'Maan', addressLine1: 'Kerkstraat 1', city: 'Amsterdam', iban: 'NL91ABNA0417164300' };
const nothing = { organization: Organization.fromPartial({}), hasProvider: false, hasCustomer: false, hasSent: false };
const done = (facts: Parameters<typeof onboardingSteps>[0]): string[] =>
  onboardingSteps(facts).flatMap(({ step, isDone }) => (isDone ? [step] : []));

test('steps tick themselves off by what there is', () => {
  expect(done(nothing)).toEqual([]);
  expect(done({ ...nothing, organization: Organization.fromPartial({ details: { ...details, iban: '' } }) })).toEqual(
    [],
  );
  const organization = Organization.fromPartial({ details, profiles: [{ hasLogo: false }, { hasLogo: true }] });
  expect(done({ ...nothing, organization })).toEqual(['company', 'logo']);
  expect(done({ organization, hasProvider: true, hasCustomer: true, hasSent: true })).toHaveLength(5);
});

test('the list is for the first ninety days', () => {
  const createdAt = new Date('2026-01-01T00:00:00Z');
  expect(isNew(Organization.fromPartial({ createdAt }), new Date('2026-03-31T00:00:00Z'))).toBe(true);
  expect(isNew(Organization.fromPartial({ createdAt }), new Date('2026-04-02T00:00:00Z'))).toBe(false);
});

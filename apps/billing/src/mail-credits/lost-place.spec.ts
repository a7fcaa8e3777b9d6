import { mailCredits } from './mail-credits';

test('whoever loses its place in the ledger decides again by the entry that took it', async () => {
  let tail = { seq: 0, balance: 0, reserved: 0 };
  const ledger = {
    tail: async () => tail,
    find: async () => null,
    lastOfLetter: async () => null,
    insert: async ({ seq }: { seq: number }) => {
      if (tail.seq > 0) return seq === tail.seq + 1;
      tail = { seq: 1, balance: 5, reserved: 0 };
      return false;
    },
  };
  const organizations = { find: async () => ({}) };
  const credits = mailCredits({ ledger, organizations, now: () => new Date(0) } as never);
  const granted = await credits.grant({ organizationId: 'o', credits: 3, reason: null }, 'op');
  expect(granted).toMatchObject({ seq: 2, balance: 8 });
});

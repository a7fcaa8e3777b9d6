import fc from 'fast-check';
import { EMPTY_LEDGER, checkEntry, type CreditEntry } from './credit-ledger';
import type { Organization } from '../organizations/organization';
import { mailCredits, type CreditLedger, type CreditPorts } from './mail-credits';

const ORG = 'org';
const LETTERS = ['a', 'b', 'c'];

/** A store whose every command is one atomic step; answers can be lost, before or after the command took effect. */
class SimulatedLedger {
  readonly stored: CreditEntry[] = [];

  constructor(
    private readonly scheduler: fc.Scheduler,
    private readonly lose: () => 'nothing' | 'request' | 'answer',
    private readonly uniqueSeq = true,
  ) {}

  port(): CreditLedger {
    const step = <T>(name: string, work: () => T): Promise<T> =>
      this.scheduler.schedule(Promise.resolve(), name).then(() => {
        const lost = this.lose();
        if (lost === 'request') throw new Error('lost');
        const result = work();
        if (lost === 'answer') throw new Error('lost');
        return result;
      });
    return {
      tail: () => step('tail', () => this.stored.at(-1) ?? EMPTY_LEDGER),
      find: (id) => step('find', () => this.stored.find(({ _id }) => _id === id) ?? null),
      lastOfLetter: (_, letterId) =>
        step(
          'letter',
          () => this.stored.filter((each) => 'letterId' in each && each.letterId === letterId).at(-1) ?? null,
        ),
      insert: (entry) =>
        step('insert', () => {
          const taken = ({ _id, seq }: CreditEntry) => _id === entry._id || (this.uniqueSeq && seq === entry.seq);
          if (this.stored.some(taken)) return false;
          this.stored.push(entry);
          return true;
        }),
      page: () => step('page', () => this.stored.toReversed()),
      entries: async function* (this: SimulatedLedger) {
        yield* this.stored;
      }.bind(this),
    };
  }
}

type Step = { replica: number; act: 'grant' | 'reserve' | 'consume' | 'release'; letter: string; credits: number };
const step: fc.Arbitrary<Step> = fc.record({
  replica: fc.nat(2),
  act: fc.constantFrom('grant', 'reserve', 'reserve', 'consume', 'release'),
  letter: fc.constantFrom(...LETTERS),
  credits: fc.integer({ min: 1, max: 2 }),
});
const losses = fc.infiniteStream(fc.constantFrom('nothing', 'nothing', 'nothing', 'nothing', 'request', 'answer'));

async function simulate(
  scheduler: fc.Scheduler,
  steps: Step[],
  lose: () => 'nothing' | 'request' | 'answer',
  unique = true,
) {
  const store = new SimulatedLedger(scheduler, lose, unique);
  const ports: CreditPorts = {
    ledger: store.port(),
    organizations: { find: async () => ({}) as Organization },
    now: () => new Date(0),
  };
  // Each replica has queues of its own.
  const replicas = [mailCredits(ports), mailCredits(ports), mailCredits(ports)];
  const run = async ({ replica, act, letter, credits }: Step, index: number): Promise<void> => {
    const on = replicas[replica]!;
    for (let retry = 0; retry < 3; retry++) {
      try {
        if (act === 'grant') await on.grant({ organizationId: ORG, credits, reason: null }, `grant-${index}`);
        else if (act === 'reserve') await on.reserve(ORG, letter);
        else await on.settle(ORG, letter, act);
        return;
      } catch (error) {
        // A lost command is tried again, as its caller would; a refusal is an answer.
        if ((error as Error).message !== 'lost') return;
      }
    }
  };
  const all = Promise.all(steps.map(run));
  await scheduler.waitFor(all);
  return store.stored;
}

/** What the entries say themselves, apart from the code under test. */
function checkLedger(entries: readonly CreditEntry[], steps: readonly Step[]): void {
  let state = EMPTY_LEDGER;
  for (const entry of entries) {
    expect(entry.balance).toBeGreaterThanOrEqual(0);
    state = checkEntry(state, entry);
  }
  expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, index) => index + 1));
  const grants = entries.filter(({ kind }) => kind === 'grant').map(({ _id }) => _id);
  expect(new Set(grants).size).toBe(grants.length);
  for (const id of grants) expect(steps[Number(id.slice('grant-'.length))]!.act).toBe('grant');
  for (const letter of LETTERS) {
    const kinds = entries.flatMap((each) => ('letterId' in each && each.letterId === letter ? [each.kind] : []));
    // Reserved, then settled, and again only after it was released.
    expect(kinds.join(' ')).toMatch(/^(reserve release ?)*(reserve( consume)?)?$/);
  }
}

const numRuns = Number(process.env['SEEDS'] ?? 150);
const stepsOf = fc.array(step, { minLength: 4, maxLength: 14 });

test('any interleaving of three replicas with lost commands keeps the ledger whole', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), stepsOf, losses, async (scheduler, steps, stream) => {
      const entries = await simulate(scheduler, steps, () => stream.next().value);
      checkLedger(entries, steps);
    }),
    { numRuns },
  );
});

test('without the unique place in the ledger the simulation finds the fault', async () => {
  const broken = fc.assert(
    fc.asyncProperty(fc.scheduler(), stepsOf, async (scheduler, steps) => {
      checkLedger(await simulate(scheduler, steps, () => 'nothing', false), steps);
    }),
    { numRuns: 500, endOnFailure: true },
  );
  await expect(broken).rejects.toThrow();
});

test('a grant that does not fit is refused with everything that is wrong', async () => {
  const none = mailCredits({
    ledger: new SimulatedLedger(null as never, () => 'nothing').port(),
    organizations: { find: async () => null },
    now: () => new Date(0),
  });
  await expect(none.grant({ organizationId: ORG, credits: 1.5, reason: 'a\u0000' }, 'id')).rejects.toMatchObject({
    details: [{ path: '/credits' }, { path: '/reason' }, { path: '/orgId' }],
  });
});

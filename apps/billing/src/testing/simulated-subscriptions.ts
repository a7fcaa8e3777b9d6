import type { Organization } from '../organizations/organization';
import { NEVER, type Subscription } from '../subscriptions/subscription';
import type { Finished, SubscriptionPorts, Wanted } from '../subscriptions/subscription-ports';

type Stored = Subscription & { lease: string; leaseUntil: Date };

/** How the simulation is broken on purpose, to show that it finds what it should find. */
export type Fault = 'new invoice for each attempt' | 'finish without lease';

/**
 * Subscriptions in memory. Every command waits for its turn, which `step` decides; a replica that is killed never hears of its
 * commands again, though what it sent may still be carried out.
 */
export class SimulatedSubscriptions {
  readonly subscriptions = new Map<string, Stored>();
  /** Ids of invoices in the order in which they came into being. */
  readonly invoices: { id: string; subscriptionId: string; date: string }[] = [];
  /** Periods as they were told, each with the id of its invoice. */
  readonly told: { subscriptionId: string; date: string; invoiceId: string }[] = [];
  /** Next occurrences that went backwards. */
  readonly regressions: string[] = [];
  nowMs: number;
  private leases = 0;

  constructor(
    now: string,
    private readonly step: (name: string) => Promise<void>,
    private readonly fails: () => boolean,
    private readonly fault?: Fault,
  ) {
    this.nowMs = Date.parse(now);
  }

  add(subscription: Subscription): void {
    this.subscriptions.set(subscription._id, { ...subscription, lease: '', leaseUntil: NEVER });
  }

  /** One replica; `life` answers false from the moment it is killed. */
  replica(life: () => boolean): SubscriptionPorts {
    const send = async <T>(name: string, work: () => T): Promise<T> => {
      if (!life()) return new Promise<T>(() => undefined);
      await this.step(name);
      const result = work();
      return life() ? result : new Promise<T>(() => undefined);
    };
    return {
      now: () => new Date(this.nowMs),
      organizations: {
        find: () => send('organization', () => ({ details: { timezone: 'Europe/Amsterdam' } }) as Organization),
      },
      subscriptions: {
        claim: async (wanted: Wanted, limit: number, leaseMs: number) => {
          const ids = await send('find', () =>
            this.due(wanted)
              .slice(0, limit)
              .map(({ _id }) => _id),
          );
          const lease = `lease ${this.leases++}`;
          const taken = await send('take', () => {
            const mine = this.due(wanted).filter(({ _id }) => ids.includes(_id));
            for (const each of mine) {
              each.lease = lease;
              each.leaseUntil = new Date(wanted.now.getTime() + leaseMs);
            }
            return mine.map((each) => ({ ...each }));
          });
          return { lease, subscriptions: taken, held: false };
        },
        finish: (lease: string, finished: readonly Finished[]) => send('finish', () => this.finish(lease, finished)),
      },
      periodInvoices: {
        make: ({ _id, nextRunDate }: Subscription, invoiceId: string) =>
          send('make', () => {
            if (this.fails()) throw new Error('no luck');
            const known =
              this.fault !== 'new invoice for each attempt' && this.invoices.some(({ id }) => id === invoiceId);
            if (!known) this.invoices.push({ id: invoiceId, subscriptionId: _id, date: nextRunDate });
            return 'issued' as const;
          }),
      },
      onRunError: () => undefined,
      // A run by the clock uses no other port.
    } as unknown as SubscriptionPorts;
  }

  private due({ now }: Wanted): Stored[] {
    return [...this.subscriptions.values()]
      .filter(({ status, dueAt, leaseUntil }) => status === 'active' && dueAt <= now && leaseUntil <= now)
      .sort((a, b) => a.dueAt.getTime() - b.dueAt.getTime() || (a._id < b._id ? -1 : 1));
  }

  private finish(lease: string, finished: readonly Finished[]): void {
    for (const { subscription, changes, invoiced } of finished) {
      const stored = this.subscriptions.get(subscription._id)!;
      const ours = stored.lease === lease && stored.nextIndex === subscription.nextIndex;
      if (!ours && this.fault !== 'finish without lease') continue;
      if ((changes.nextIndex ?? stored.nextIndex) < stored.nextIndex) this.regressions.push(stored._id);
      if (invoiced)
        this.told.push({
          subscriptionId: stored._id,
          date: subscription.nextRunDate,
          invoiceId: invoiced.invoiceId,
        });
      Object.assign(stored, changes, { lease: '', leaseUntil: NEVER });
    }
  }
}

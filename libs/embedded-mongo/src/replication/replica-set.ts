import { ObjectId } from 'bson';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Doc } from '../bson/value';
import { CommandError } from '../command-error';
import { ClusterClock } from './cluster-clock';

/** The name that connection strings give: `?replicaSet=embedded`. */
export const setName = 'embedded';

/** How long after stepping down the only member elects itself again. */
const electionMs = 200;

/** A replica set of one member. It is the primary, except for a moment after it was told to step down. */
export class ReplicaSet {
  readonly clock = new ClusterClock();
  private readonly processId = new ObjectId();
  private changes = 0n;
  private term = 1;
  private primary = true;
  private waiting: (() => void)[] = [];

  /** What `hello` says of the set. `address`: where the client reached this server, which is where it finds the member again. */
  describe(address: string): Doc {
    return {
      topologyVersion: this.topologyVersion,
      hosts: [address],
      setName,
      setVersion: 1,
      secondary: !this.primary,
      ...(this.primary && { primary: address, electionId: this.electionId }),
      me: address,
      lastWrite: { opTime: { ts: this.clock.now, t: BigInt(this.term) }, lastWriteDate: new Date() },
    };
  }

  get isPrimary(): boolean {
    return this.primary;
  }

  get topologyVersion(): Doc {
    return { processId: this.processId, counter: this.changes };
  }

  /** Resolves when something is other than a client knows it, when `waitMs` are over, or when the client has gone. */
  async changed({ processId, counter }: Doc, waitMs: number, gone: AbortSignal): Promise<void> {
    const current = this.processId.equals(processId as ObjectId) && BigInt(counter as number | bigint) === this.changes;
    if (!current) return;
    const change = new Promise<void>((resolve) => this.waiting.push(resolve));
    const over = new AbortController();
    const signal = AbortSignal.any([gone, over.signal]);
    const waited = sleep(waitMs, undefined, { signal, ref: false }).catch(() => undefined); // the client went, or it changed
    await Promise.race([change, waited]);
    over.abort();
  }

  /** As an election does it to clients: writes are refused until the member has elected itself again, in a new term. */
  stepDown(): void {
    if (!this.primary) throw this.notPrimary();
    this.become(false);
    setTimeout(() => {
      this.term++;
      this.become(true);
    }, electionMs).unref();
  }

  notPrimary(): CommandError {
    return new CommandError('NotWritablePrimary', 'not primary');
  }

  status(address: string): Doc {
    const stateStr = this.primary ? 'PRIMARY' : 'SECONDARY';
    const state = this.primary ? 1 : 2;
    const member: Doc = { _id: 0, name: address, health: 1, state, stateStr, self: true };
    return { set: setName, date: new Date(), myState: state, term: BigInt(this.term), members: [member] };
  }

  private get electionId(): ObjectId {
    return new ObjectId(`7fffffff${this.term.toString(16).padStart(16, '0')}`);
  }

  private become(primary: boolean): void {
    this.primary = primary;
    this.changes++;
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}

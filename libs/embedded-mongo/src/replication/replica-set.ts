import { ObjectId } from 'bson';
import { type Doc } from '../bson/value';
import { ClusterClock } from './cluster-clock';

/** The name that connection strings give: `?replicaSet=embedded`. */
export const setName = 'embedded';

/** A replica set of one member, which is always its primary. */
export class ReplicaSet {
  readonly clock = new ClusterClock();
  private readonly electionId = new ObjectId('7fffffff0000000000000001');
  private readonly processId = new ObjectId();

  /** What `hello` says of the set. `address`: where the client reached this server, which is where it finds the member again. */
  describe(address: string): Doc {
    return {
      topologyVersion: this.topologyVersion,
      hosts: [address],
      setName,
      setVersion: 1,
      secondary: false,
      primary: address,
      me: address,
      electionId: this.electionId,
      lastWrite: { opTime: { ts: this.clock.now, t: 1n }, lastWriteDate: new Date() },
    };
  }

  /** Nothing ever changes in a set of one: only another process counts as a change. */
  get topologyVersion(): Doc {
    return { processId: this.processId, counter: 0n };
  }

  isCurrent(topologyVersion: Doc): boolean {
    return this.processId.equals(topologyVersion.processId as ObjectId);
  }

  status(address: string): Doc {
    const member: Doc = { _id: 0, name: address, health: 1, state: 1, stateStr: 'PRIMARY', self: true };
    return { set: setName, date: new Date(), myState: 1, term: 1n, members: [member] };
  }
}

/** What serverStatus reports of the traffic since the start. */
export class Metrics {
  readonly connections = { current: 0, totalCreated: 0 };
  readonly network = { bytesIn: 0, bytesOut: 0, numRequests: 0 };
  readonly opcounters = { insert: 0, query: 0, update: 0, delete: 0, getmore: 0, command: 0 };

  /** Counts one command as MongoDB does: of writes their statements. `statements` is how many it has. */
  ran(name: string, statements: number): void {
    const { opcounters } = this;
    if (name === 'insert' || name === 'update' || name === 'delete') opcounters[name] += statements;
    else if (name === 'find') opcounters.query++;
    else if (name === 'getMore') opcounters.getmore++;
    else opcounters.command++;
  }
}

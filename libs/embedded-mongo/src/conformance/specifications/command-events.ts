import {
  type CommandFailedEvent,
  type CommandStartedEvent,
  type CommandSucceededEvent,
  type Document,
  type MongoClient,
} from 'mongodb';
import { assertMatches, Mismatch, type Lookup } from './match';
import { Skipped, type ExpectedEvents } from './test-file';

/** The format's names of events → the driver's. */
const sources: Record<string, string> = {
  commandStartedEvent: 'commandStarted',
  commandSucceededEvent: 'commandSucceeded',
  commandFailedEvent: 'commandFailed',
  poolCreatedEvent: 'connectionPoolCreated',
  poolReadyEvent: 'connectionPoolReady',
  poolClearedEvent: 'connectionPoolCleared',
  poolClosedEvent: 'connectionPoolClosed',
  connectionCreatedEvent: 'connectionCreated',
  connectionReadyEvent: 'connectionReady',
  connectionClosedEvent: 'connectionClosed',
  connectionCheckOutStartedEvent: 'connectionCheckOutStarted',
  connectionCheckOutFailedEvent: 'connectionCheckOutFailed',
  connectionCheckedOutEvent: 'connectionCheckedOut',
  connectionCheckedInEvent: 'connectionCheckedIn',
  serverDescriptionChangedEvent: 'serverDescriptionChanged',
  topologyDescriptionChangedEvent: 'topologyDescriptionChanged',
  topologyOpeningEvent: 'topologyOpening',
  topologyClosedEvent: 'topologyClosed',
  serverHeartbeatStartedEvent: 'serverHeartbeatStarted',
  serverHeartbeatSucceededEvent: 'serverHeartbeatSucceeded',
  serverHeartbeatFailedEvent: 'serverHeartbeatFailed',
};

const kindOf = (name: string): string =>
  name.startsWith('command') ? 'command' : /^(pool|connection)/.test(name) ? 'cmap' : 'sdam';

/** What a driver may not show, so that secrets do not reach logs. */
const sensitive = new Set(
  'authenticate saslStart saslContinue getnonce createUser updateUser copydbgetnonce copydbsaslstart copydb'.split(' '),
);

interface Observed {
  name: string;
  event: unknown;
}

/** The events of one client, as far as its entity asks for them. */
export class CommandEvents {
  private readonly observed: Observed[] = [];
  private recording = true;

  constructor(
    client: MongoClient,
    { observeEvents = [], ignoreCommandMonitoringEvents = [], observeSensitiveCommands }: Document,
  ) {
    const ignored = new Set(['configureFailPoint', ...(ignoreCommandMonitoringEvents as string[])]);
    for (const name of observeEvents as string[]) {
      const source = sources[name];
      if (!source) throw new Skipped(`events ${name} are not observed by this runner`);
      client.on(source as 'commandStarted', (event) => {
        if (!this.recording) return;
        if (name.startsWith('command')) {
          if (ignored.has(event.commandName)) return;
          if (!observeSensitiveCommands && hidden(event)) return;
        }
        this.observed.push({ name, event });
      });
    }
  }

  stop(): void {
    this.recording = false;
  }

  get started(): CommandStartedEvent[] {
    return this.observed
      .filter(({ name }) => name === 'commandStartedEvent')
      .map(({ event }) => event as CommandStartedEvent);
  }

  count(wanted: Document, lookup: Lookup): number {
    const [[name, details]] = Object.entries(wanted) as [[string, Document]];
    return this.observed.filter((each) => each.name === name && matches(name, details, each.event, lookup)).length;
  }

  assert({ events, eventType = 'command', ignoreExtraEvents = false }: ExpectedEvents, lookup: Lookup): void {
    const found = this.observed.filter(({ name }) => kindOf(name) === eventType);
    for (const [i, wanted] of events.entries()) {
      const [[name, details]] = Object.entries(wanted) as [[string, Document]];
      const actual = found[i];
      if (!actual)
        throw new Mismatch(`events[${i}]: expected ${name} ${details.commandName ?? ''}, got ${names(found)}`);
      if (actual.name !== name) throw new Mismatch(`events[${i}]: expected ${name}, got ${names(found)}`);
      assertEvent(name, details, actual.event, lookup, `events[${i}]`);
    }
    if (!ignoreExtraEvents && found.length !== events.length)
      throw new Mismatch(`expected ${events.length} events, got ${names(found)}`);
  }
}

const names = (found: Observed[]): string =>
  found
    .map(({ name, event }) => `${name} ${(event as { commandName?: string }).commandName ?? ''}`.trim())
    .join(', ') || 'none';

function hidden(event: CommandStartedEvent | CommandSucceededEvent | CommandFailedEvent): boolean {
  if (sensitive.has(event.commandName)) return true;
  if (!/^(hello|ismaster)$/i.test(event.commandName)) return false;
  const content = ('command' in event && event.command) || ('reply' in event && (event.reply as Document)) || {};
  return content.speculativeAuthenticate !== undefined || Object.keys(content as Document).length === 0;
}

function matches(name: string, details: Document, event: unknown, lookup: Lookup): boolean {
  try {
    assertEvent(name, details, event, lookup, name);
    return true;
  } catch (error) {
    if (error instanceof Mismatch) return false;
    throw error;
  }
}

function assertEvent(name: string, details: Document, event: unknown, lookup: Lookup, path: string): void {
  const actual = event as Document;
  for (const [field, wanted] of Object.entries(details)) {
    const at = `${path}.${field}`;
    if (field === 'hasServerConnectionId') {
      if ((typeof actual.serverConnectionId === 'bigint') !== wanted) throw new Mismatch(`${at}: expected ${wanted}`);
    } else if (field === 'hasServiceId') {
      if ((actual.serviceId != null) !== wanted) throw new Mismatch(`${at}: expected ${wanted}`);
    } else if (field === 'previousDescription' || field === 'newDescription') {
      assertMatches(wanted, { type: (actual[field] as Document).type as unknown }, lookup, at);
    } else if (field === 'interruptInUseConnections') {
      if ((actual.interruptInUseConnections ?? false) !== wanted) throw new Mismatch(`${at}: expected ${wanted}`);
    } else assertMatches(wanted, actual[field], lookup, at);
  }
  if (name.startsWith('command') && typeof actual.commandName !== 'string') throw new Mismatch(`${path}: no command`);
}

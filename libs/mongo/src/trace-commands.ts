import { type MongoClient } from './driver-types';
import { SpanKind, beginSpan } from '@invoicing/telemetry';

// What a client says by itself tells nothing about a request.
const SILENT = new Set(['hello', 'isMaster', 'ping', 'endSessions', 'killCursors', 'saslStart', 'saslContinue']);

/** A span for each command to the store, inside the trace of the work that sends it. Names only: never a filter or a value. */
export function traceCommands(client: MongoClient): void {
  const open = new Map<string, (error?: Error) => void>();
  const keyOf = (event: { requestId: number; connectionId?: string | number | undefined }): string =>
    `${event.connectionId}:${event.requestId}`;
  client.on('commandStarted', (event) => {
    if (SILENT.has(event.commandName)) return;
    const collection = String(event.command[event.commandName]);
    const end = beginSpan(`${event.commandName} ${collection}`, SpanKind.CLIENT, {
      'db.system.name': 'mongodb',
      'db.namespace': event.databaseName,
      'db.collection.name': collection,
      'db.operation.name': event.commandName,
    });
    if (end) open.set(keyOf(event), end);
  });
  const finish = (key: string, error?: Error): void => {
    open.get(key)?.(error);
    open.delete(key);
  };
  client.on('commandSucceeded', (event) => finish(keyOf(event)));
  client.on('commandFailed', (event) => finish(keyOf(event), event.failure));
}

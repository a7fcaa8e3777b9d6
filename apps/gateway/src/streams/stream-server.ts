import { setTimeout } from 'node:timers/promises';
import { type Response } from 'express';
import { Mode } from '@invoicing/contracts/invoicing/billing/v1/organizations';
import { newCallContext } from '@invoicing/rpc';
import { type Logger } from '@invoicing/telemetry';
import { EdgeError } from '../edge/edge-error';
import { type EdgeRequest } from '../edge/edge-request';
import { admit, type OperationPorts } from '../edge/operation-handler';
import { newOf, streams, type Stream, type StreamPorts } from './stream';

const POLL_MS = 500;
const CALL_MS = 2_000;
const ALIVE_EVERY_MS = 15_000;
const LONGEST_MS = 3_600_000;
const OPEN_A_KEY = 4;
// What another replica wrote down meanwhile may come into the list behind what was read already.
const OVERLAP_MS = 5_000;

/**
 * Streams of test organisations as server-sent events. Each costs one request of the key's minute, ends after an hour or when the
 * process stops, and goes on from `Last-Event-ID` (the time of what was told last).
 */
export function streamHandlers(admitting: OperationPorts, ports: StreamPorts, log: Logger) {
  const open = new Map<string, number>();
  return streams.map((stream) => ({
    path: stream.path,
    handler: async (request: EdgeRequest, response: Response): Promise<void> => {
      const { key, caller, organization } = await admit(request, { scope: 'sandbox:read', platform: false }, admitting);
      if (organization?.mode !== Mode.TEST) throw new EdgeError('test_only');
      const count = open.get(key._id) ?? 0;
      if (count >= OPEN_A_KEY) throw new EdgeError('rate_limited', { headers: { 'retry-after': '5' } });
      open.set(key._id, count + 1);
      try {
        await follow(stream, ports, caller.organizationId, request, response);
      } catch (error) {
        // Who follows comes back, and goes on from what came last.
        log.warn({ error, route: stream.path }, 'a stream was cut off');
        response.destroy();
      } finally {
        const left = open.get(key._id)! - 1;
        if (left > 0) open.set(key._id, left);
        else open.delete(key._id);
      }
    },
  }));
}

async function follow(
  stream: Stream,
  ports: StreamPorts,
  organizationId: string,
  request: EdgeRequest,
  response: Response,
): Promise<void> {
  const startedAt = Date.now();
  const last = Date.parse(String(request.headers['last-event-id'] ?? ''));
  let latest = Number.isNaN(last) ? startedAt : last;
  const told = new Map<string, number>();
  response.writeHead(200, {
    ...request.edge.headers,
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': request.edge.requestId,
  });
  response.write(': open\n\n');
  let aliveAt = startedAt;
  while (!response.destroyed && isListening(request) && Date.now() - startedAt < LONGEST_MS) {
    const since = new Date(Math.max(Number.isNaN(last) ? startedAt : last, latest - OVERLAP_MS));
    const found = await stream.read(ports, organizationId, since, newCallContext(CALL_MS));
    for (const { at, data } of newOf(found, told, Date.now(), OVERLAP_MS * 4)) {
      latest = Math.max(latest, at.getTime());
      response.write(`id: ${at.toISOString()}\ndata: ${JSON.stringify(data)}\n\n`);
    }
    if (Date.now() - aliveAt > ALIVE_EVERY_MS) {
      response.write(': alive\n\n');
      aliveAt = Date.now();
    }
    await setTimeout(POLL_MS);
  }
  response.end();
}

/** The process is not about to stop. */
const isListening = ({ socket }: EdgeRequest): boolean =>
  (socket as unknown as { server?: { listening: boolean } }).server?.listening !== false;

import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { metricsRegistry } from '@invoicing/telemetry';
import { runProcess, type ProcessName } from '../run-process';

// A process that answers, and whose requests can go wrong in ways that nobody catches.

const faults: Record<string, () => void> = {
  '/exception': () => setImmediate(() => thrown()),
  '/rejection': () => void Promise.reject(new Error('rejected in a request', { cause: new Error('its cause') })),
  '/many': () => {
    for (let at = 0; at < 500; at++) setImmediate(() => thrown());
  },
};

function thrown(): never {
  throw new Error('thrown in a request', { cause: new Error('its cause') });
}

runProcess(process.env['NAME'] as ProcessName, async () => {
  if (process.env['FAULT_AT_START']) {
    setImmediate(() => thrown());
    await new Promise(() => undefined);
  }
  const server = createServer((request, response) => {
    faults[request.url ?? '']?.();
    if (request.url === '/metrics') void metricsRegistry.metrics().then((text) => response.end(text));
    else response.end('served');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.send?.({ port: (server.address() as AddressInfo).port });
  return { close: () => new Promise<void>((resolve) => server.close(() => resolve())) };
});

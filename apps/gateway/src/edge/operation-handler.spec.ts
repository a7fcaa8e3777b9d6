import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { type Response } from 'express';
import { Mode, Organization } from '@invoicing/contracts/invoicing/billing/v1/organizations';
import { type Operation } from '../routes/route';
import { type EdgeRequest } from './edge-request';
import { operationHandler, type OperationPorts } from './operation-handler';

/** Milliseconds that a write may take here. */
const BUDGET_MS = 75;

test('who was told that nothing was done is not made anything when the store comes back', async () => {
  let calls = 0;
  const route = {
    ...{ method: 'POST', path: '/api/v1/customers', operationId: 'createCustomer', scope: null, platform: false },
    body: { type: 'object' },
    call: async () => (calls++, {}),
  } as unknown as Operation;
  const handle = operationHandler(route, ports({ insertMs: 4 * BUDGET_MS + 250 }));
  await expect(handle(request(), {} as Response)).rejects.toMatchObject({ code: 'unavailable' });
  await setTimeout(4 * BUDGET_MS + 300);
  expect(calls).toBe(0);
});

function ports({ insertMs }: { insertMs: number }): OperationPorts {
  const records = {
    owner: 'us',
    insert: async () => (await setTimeout(insertMs), true),
    release: async () => undefined,
    remove: async () => undefined,
  };
  return {
    isInMaintenance: () => false,
    authenticate: async () => ({ _id: 'key', organizationId: 'org', platform: false, scopes: [] }),
    onKeyUsed: () => undefined,
    rate: { limit: 9, take: () => ({ accepted: true, remaining: 9, resetSeconds: 1 }) },
    organization: () => Organization.fromPartial({ mode: Mode.TEST }),
    services: {},
    records,
    store: { isOpen: false, pass: async () => undefined, gotNoAnswer: () => undefined },
    deadlineScale: BUDGET_MS / 7_500,
  } as unknown as OperationPorts;
}

function request(): EdgeRequest {
  const body = Buffer.from('{}');
  return Object.assign(Readable.from([body]), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': String(body.length), 'idempotency-key': 'k' },
    edge: { requestId: 'r', headers: {} },
  }) as unknown as EdgeRequest;
}

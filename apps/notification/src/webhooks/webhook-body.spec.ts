import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFileRegistry, fromBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { descriptorSet } from '@invoicing/contracts/descriptor-set';
import { Event } from '@invoicing/contracts/invoicing/events/v1/events';
import { eventTypes } from '@invoicing/rules';
import { paidPayload, sampleEvent } from '../testing/publish-event';
import { TEST_EVENT, webhookBody } from './webhook-body';

const payloads = createFileRegistry(fromBinary(FileDescriptorSetSchema, descriptorSet))
  .getMessage('invoicing.events.v1.Event')!
  .oneofs.find(({ name }) => name === 'payload')!.fields;

test('the catalogue is what the contract has, and every event of it has a body', () => {
  expect(payloads.map(({ name }) => name.replace('_', '.')).sort()).toEqual([...eventTypes].sort());
  for (const { name, jsonName, message } of payloads) {
    const type = name.replace('_', '.');
    // Payments keep what moved in a message of its own.
    const payload = message!.fields.some((field) => field.name === 'moved') ? { moved: {} } : {};
    const event = Event.fromJSON({ ...(Event.toJSON(sampleEvent({ type })) as object), [jsonName]: payload });
    expect(JSON.parse(webhookBody(event)!)).toMatchObject({ type, data: {} });
  }
});

test('the documentation lists the catalogue', () => {
  const page = readFileSync(join(__dirname, '../../../../docs/webhooks.md'), 'utf8');
  const listed = [...page.matchAll(/^\| `([a-z_]+\.[a-z_]+)` /gm)].map(([, type]) => type);
  expect(listed).toEqual([...eventTypes, TEST_EVENT]);
});

test('invoice.paid as the API promises it', () => {
  const invoicePaid = paidPayload();
  const event = sampleEvent({ invoicePaid, occurredAt: new Date('2026-11-21T03:00:01.000Z') });
  const body = webhookBody(event)!;
  expect(JSON.parse(body)).toEqual({
    type: 'invoice.paid',
    timestamp: '2026-11-21T03:00:01.000Z',
    data: {
      invoiceId: invoicePaid.invoiceId,
      number: '2026-0001',
      publicToken: 'tok',
      totalIncl: 12100,
      currency: 'EUR',
      customerId: invoicePaid.customerId,
      checkoutId: invoicePaid.checkoutId,
      payment: {
        provider: 'sandbox',
        method: 'ideal',
        id: 'pay_1',
        paidAt: '2026-11-21T03:00:00.000Z',
        amountCents: 12100,
      },
    },
  });
  expect(Buffer.byteLength(body)).toBeLessThan(20_000);
});

test('paid without a checkout: checkoutId is null; a type that nobody knows has no body', () => {
  const event = sampleEvent({ invoicePaid: { ...paidPayload(), checkoutId: undefined } });
  expect(JSON.parse(webhookBody(event)!).data.checkoutId).toBeNull();
  expect(webhookBody(sampleEvent({ type: 'invoice.eaten' }))).toBeUndefined();
  // Without what it says it tells of.
  expect(webhookBody(sampleEvent({ type: 'invoice.issued' }))).toBeUndefined();
});

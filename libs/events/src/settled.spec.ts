import { eventHeaders } from './settled';

test('an event is published under its own id, by which the broker knows it again, and says where it is kept', () => {
  const entry = { id: 'e1', subject: 'events.invoice.paid', body: '{}', dueAt: new Date(0) };
  const headers = eventHeaders(entry, { collection: 'invoices', organizationId: 'o', documentId: 'd' });
  expect([headers.get('Nats-Msg-Id'), headers.get('Outbox-Document')]).toEqual(['e1', 'invoices o d']);
});

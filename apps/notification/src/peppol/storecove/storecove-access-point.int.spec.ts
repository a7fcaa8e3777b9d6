import { randomUUID } from 'node:crypto';
import { LEGAL_ENTITY, STORECOVE_KEY, StorecoveImitation } from '../../testing/storecove-imitation';
import { SubmissionRejected, type AccessPointReport } from '../access-point';
import { storecoveAccessPoint, storecoveKind } from './storecove-access-point';
import { publicDispatcher } from './storecove-client';
import { storecoveIdentifier } from './storecove-scheme';

const storecove = new StorecoveImitation();
beforeAll(() => storecove.start());
afterAll(() => storecove.stop());

const opened = (changes: { apiKey?: string; legalEntityId?: number; baseUrl?: string } = {}) =>
  storecoveAccessPoint(
    { apiKey: STORECOVE_KEY, legalEntityId: LEGAL_ENTITY, baseUrl: storecove.url, ...changes },
    publicDispatcher(true),
  );

const document = (id: string = randomUUID()) => ({
  id,
  recipient: '0208:0123456749',
  ubl: Buffer.from('<Invoice>é</Invoice>'),
  createdAt: new Date(),
});

const reports = async (): Promise<AccessPointReport[]> => {
  const taken: AccessPointReport[] = [];
  await opened().takeReports(async (report) => void taken.push(report));
  return taken;
};

test('what Storecove is asked is what its documentation asks for', async () => {
  await opened().verify();
  expect(await opened().receives('0208:0123456749')).toBe(true);
  expect(storecove.requests.at(-1)).toEqual({
    method: 'POST',
    path: '/discovery/receives',
    body: {
      documentTypes: ['invoice'],
      network: 'peppol',
      metaScheme: 'iso6523-actorid-upis',
      scheme: 'BE:EN',
      identifier: '0123456749',
    },
  });
  const { id, ...rest } = document();
  const guid = await opened().submit({ id, ...rest });
  expect(storecove.requests.at(-1)).toEqual({
    method: 'POST',
    path: '/document_submissions',
    body: {
      legalEntityId: LEGAL_ENTITY,
      idempotencyGuid: id,
      routing: { eIdentifiers: [{ scheme: 'BE:EN', id: '0123456749' }] },
      document: {
        documentType: 'invoice',
        rawDocumentData: { document: rest.ubl.toString('base64'), parseStrategy: 'ubl' },
      },
    },
  });
  expect(await opened().progress(guid)).toEqual({ state: 'delivered', messageId: `${guid}@storecove` });
  expect(await reports()).toEqual([{ deliveryId: id, submissionId: guid, outcome: 'delivered', reason: '' }]);
  expect(storecove.waiting).toBe(0);
});

test('a document whose answer got lost is submitted once; its guid comes with the report', async () => {
  const lost = document();
  storecove.trouble({ on: '/document_submissions', kind: 'lost' });
  await expect(opened().submit(lost)).rejects.toMatchObject({ kind: 'unavailable' });
  expect(await opened().submit(lost)).toBe('');
  expect([...storecove.submissions.values()].filter(({ idempotencyGuid }) => idempotencyGuid === lost.id)).toHaveLength(
    1,
  );
  const { guid } = storecove.submissions.get(lost.id)!;
  expect(await reports()).toMatchObject([{ deliveryId: lost.id, submissionId: guid }]);
});

test('nothing is delivered before the network has acknowledged it; a failure comes with its reason', async () => {
  storecove.acknowledges = false;
  const waiting = document();
  const guid = await opened().submit(waiting);
  expect(await opened().progress(guid)).toEqual({ state: 'underway' });
  storecove.settle(storecove.submissions.get(waiting.id)!, 'failed', 'the receiver does not answer');
  storecove.push({ event_type: 'received_document', guid: randomUUID() });
  expect(await reports()).toEqual([
    { deliveryId: waiting.id, submissionId: guid, outcome: 'failed', reason: 'the receiver does not answer' },
  ]);
  expect(storecove.waiting).toBe(0);
  storecove.acknowledges = true;
});

test('a report that is not stored comes again', async () => {
  storecove.push({ event_type: 'document_submission', event: 'succeeded', guid: 'g', idempotencyGuid: 'd' });
  const failing = opened().takeReports(() => Promise.reject(new Error('the store is away')));
  await expect(failing).rejects.toThrow('the store is away');
  expect(await reports()).toHaveLength(1);
});

test('a refused document is final and says why; everything else may pass', async () => {
  const body = [
    { source: 'document', details: 'BR-16' },
    { source: 'routing', details: 'unknown' },
  ];
  storecove.trouble({ on: '/document_submissions', kind: 'status', status: 422, body });
  await expect(opened().submit(document())).rejects.toEqual(
    new SubmissionRejected('document: BR-16; routing: unknown'),
  );
  for (const [status, kind] of [
    [429, 'exhausted'],
    [500, 'unavailable'],
    [302, 'unavailable'],
    [403, 'unauthenticated'],
  ] as const) {
    storecove.trouble({ on: '/document_submissions', kind: 'status', status });
    await expect(opened().submit(document())).rejects.toMatchObject({ kind, code: 'provider_failed' });
  }
  await expect(opened({ apiKey: 'another-key-of-somebody' }).verify()).rejects.toMatchObject({
    kind: 'unauthenticated',
  });
  await expect(opened({ legalEntityId: 1 }).verify()).rejects.toMatchObject({ kind: 'absent' });
  await expect(opened({ baseUrl: 'http://127.0.0.1:1' }).verify()).rejects.toMatchObject({ kind: 'unavailable' });
});

test('an address that is not public is not connected to', async () => {
  const before = storecove.requests.length;
  const guarded = storecoveAccessPoint(
    { apiKey: STORECOVE_KEY, legalEntityId: LEGAL_ENTITY, baseUrl: storecove.url },
    publicDispatcher(false),
  );
  await expect(guarded.verify()).rejects.toMatchObject({ kind: 'unavailable' });
  expect(storecove.requests).toHaveLength(before);
});

test.each([
  ['0106:12345678', { scheme: 'NL:KVK', id: '12345678' }],
  ['0190:00000001820029336000', { scheme: 'NL:OINO', id: '00000001820029336000' }],
  ['9930:DE136695976', { scheme: 'DE:VAT', id: 'DE136695976' }],
  ['9933:EL123456789', { scheme: 'GR:VAT', id: 'EL123456789' }],
  ['9944:NL001234567B01', { scheme: 'NL:VAT', id: 'NL001234567B01' }],
  ['0216:003712345678', { scheme: 'FI:OVT', id: '003712345678' }],
  ['0999:1', undefined],
])('%s is named as Storecove names it', (participant, named) => {
  expect(storecoveIdentifier(participant)).toEqual(named);
});

test('an account needs a key and a legal entity', () => {
  const { check } = storecoveKind(publicDispatcher(false));
  expect(check({ apiKey: STORECOVE_KEY, senderId: '4711', baseUrl: null })).toEqual([]);
  const faults = check({ apiKey: 'short', senderId: 'x', baseUrl: null });
  expect(faults.map(({ path }) => path)).toEqual(['/apiKey', '/senderId']);
});

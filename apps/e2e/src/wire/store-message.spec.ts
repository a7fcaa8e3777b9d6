import * as BSON from 'bson';
import { answerTo, messageCutter, withFields, writeIn } from './store-message';

const message = (body: object): Buffer => answerTo(0, body);

test('messages are cut out of whatever pieces they come in', () => {
  const bytes = Buffer.concat([message({ ping: 1 }), message({ ping: 2 })]);
  const cut = messageCutter();
  const found = [...bytes].flatMap((byte) => cut(Buffer.from([byte])));
  expect(found.map((each) => BSON.deserialize(each.bytes.subarray(21)))).toEqual([{ ping: 1 }, { ping: 2 }]);
});

test('a write is known by its collection, what it changes, and its repetition', () => {
  const lsid = { id: new BSON.Binary(Buffer.from('0102', 'hex')) };
  const [update] = messageCutter()(
    message({
      update: 'mails',
      $db: 'notification',
      lsid,
      txnNumber: 7,
      updates: [{ q: {}, u: { $set: { 'a.b': 1, c: 2 }, $unset: { d: 1 } } }],
    }),
  );
  expect(writeIn(update!)).toMatchObject({
    name: 'update',
    namespace: 'notification.mails',
    shape: '$set a c, $unset d',
  });
  expect(writeIn(update!)?.retryKey).toMatch(/:7$/);
  const [read] = messageCutter()(message({ find: 'mails', $db: 'notification' }));
  expect(writeIn(read!)).toBeUndefined();
});

test('an answer goes on with what is added to it', () => {
  const [answer] = messageCutter()(answerTo(9, { ok: 1, n: 1 }));
  const [changed] = messageCutter()(withFields(answer!, { writeConcernError: { code: 64 } }));
  expect(changed!.responseTo).toBe(9);
  expect(BSON.deserialize(changed!.bytes.subarray(21))).toEqual({ ok: 1, n: 1, writeConcernError: { code: 64 } });
});

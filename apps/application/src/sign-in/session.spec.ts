import { deviceOf, IDLE_MS, isAlive, SESSION_MS, type Session } from './session';

const begun = new Date('2026-01-01T00:00:00Z');
const session: Session = {
  _id: 'hash',
  id: 'id',
  userId: 'user',
  device: '',
  createdAt: begun,
  lastSeenAt: begun,
  expiresAt: new Date(begun.getTime() + SESSION_MS),
};
const after = (ms: number): Date => new Date(begun.getTime() + ms);

test('a session ends when it is not used, and in any case after thirty days', () => {
  expect(isAlive(session, after(IDLE_MS - 1))).toBe(true);
  expect(isAlive(session, after(IDLE_MS))).toBe(false);
  const used = { ...session, lastSeenAt: after(SESSION_MS - 1) };
  expect(isAlive(used, after(SESSION_MS - 1))).toBe(true);
  expect(isAlive(used, after(SESSION_MS))).toBe(false);
});

test.each([
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/130.0 Safari/537.36', 'Chrome, Windows'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E Safari/604.1', 'Safari, iPhone'],
  ['Mozilla/5.0 (Windows NT 10.0) Chrome/130.0 Safari/537.36 Edg/130.0', 'Edge, Windows'],
  ['curl/8.0', 'curl'],
  ['', ''],
])('%s is %s', (userAgent, device) => expect(deviceOf(userAgent)).toBe(device));

import { request } from 'node:http';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { startTestNotification, type TestNotification } from '../testing/start-test-notification';

let service: TestNotification;
beforeAll(async () => (service = await startTestNotification(() => ({ publicHost: 'pay.example' }))));
afterAll(() => service?.close());

async function statusFor(headers: Record<string, string>): Promise<number | undefined> {
  const asked = request(`${service.httpUrl}/dev/mail`, { headers }).end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

test.each(['127.0.0.1:8080', '[::1]:8080', 'localhost', 'shop.localhost:8080', 'pay.example', 'Pay.Example:443'])(
  'the pages for trying out answer to %s',
  async (host) => expect(await statusFor({ host: 'inside:1', 'x-forwarded-host': host })).toBe(200),
);

test.each(['evil.example', 'evil.example:8080', 'localhost.evil.example', '127.0.0.1.evil.example', ''])(
  'and not to a name that somebody else can point here: %s',
  async (host) => {
    expect(await statusFor({ host: 'localhost', 'x-forwarded-host': host })).toBe(421);
    if (host) expect(await statusFor({ host })).toBe(421);
  },
);

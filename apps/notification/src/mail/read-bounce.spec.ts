import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import PostalMime from 'postal-mime';
import { sampleBounce } from '../testing/sample-bounce';
import { bounceAddressOf } from './bounce-address';
import { readBounce } from './read-bounce';

const read = async (raw: string) => readBounce(await PostalMime.parse(raw, { forceRfc822Attachments: true }));
const reason = '550 5.1.1 <jan@example.com>: Recipient address rejected: User unknown';

test('the message is known by the address that it came back to, or by what came back of it', async () => {
  const [mine, other] = [randomUUID(), randomUUID()];
  const to = bounceAddressOf('bounces@example.com', mine);
  expect(to).toBe(`bounces+${mine}@example.com`);
  expect(await read(sampleBounce({ to, messageId: other }))).toEqual({ mailId: mine, reason });
  for (const whole of [true, false])
    expect(await read(sampleBounce({ to: 'invoices@example.com', messageId: mine, whole }))).toEqual({
      ...{ mailId: mine, reason },
    });
});

test.each(['delayed', 'delivered', 'relayed', 'expanded'])('%s is no failure', async (action) => {
  expect(await read(sampleBounce({ to: 'a@example.com', messageId: randomUUID(), action }))).toBeUndefined();
});

test('an answer of a person, and a report about somebody else’s message, are none of ours', async () => {
  expect(await read('From: jan@example.com\r\nSubject: Re: Factuur\r\n\r\nIk ben op vakantie')).toBeUndefined();
  expect(await read(sampleBounce({ to: 'a@example.com', messageId: 'somebody.else' }))).toBeUndefined();
});

test('whatever comes, nothing breaks, and a reason is one short line', async () => {
  const line = fc.string({ unit: 'binary', maxLength: 400 });
  const id = randomUUID();
  await fc.assert(
    fc.asyncProperty(line, line, async (said, more) => {
      await read(`${said}\r\n\r\n${more}`);
      const raw = sampleBounce({ to: 'a@example.com', messageId: id }).replace('User unknown', said);
      const bounce = await read(raw);
      expect(bounce?.reason ?? '').toMatch(/^[^\p{Cc}]{0,300}$/u);
    }),
    { numRuns: 200 },
  );
});

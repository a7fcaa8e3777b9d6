import { randomUUID } from 'node:crypto';
import { startFakePingen } from '../testing/fake-pingen';
import { LetterRejected } from './letter-carrier';
import { pingenCarrier } from './pingen-carrier';

let pingen: Awaited<ReturnType<typeof startFakePingen>>;
beforeEach(async () => (pingen = await startFakePingen()));
afterEach(() => pingen.close());

const letter = () => ({
  id: randomUUID(),
  pdf: Buffer.from('%PDF-1.7'),
  fileName: '2026-0001.pdf',
  createdAt: new Date(),
});

test('uploads the PDF and has it sent at once', async () => {
  const carrier = pingenCarrier(pingen.options);
  const id = await carrier.submit(letter());
  expect(pingen.letters.get(id)!.attributes).toMatchObject({
    file_original_name: '2026-0001.pdf',
    file_url_signature: 'signature',
    address_position: 'left',
    auto_send: true,
  });
  expect(pingen.pdfOf(id)!.toString()).toBe('%PDF-1.7');
  await carrier.submit(letter());
  expect(pingen.state.tokens).toBe(1);
});

test('a letter whose answer got lost is not made twice', async () => {
  const carrier = pingenCarrier(pingen.options);
  const same = letter();
  pingen.state.dropAfterCreate = 1;
  await expect(carrier.submit(same)).rejects.toThrow();
  expect(await carrier.submit(same)).toBe([...pingen.letters.keys()][0]);
  expect(pingen.letters.size).toBe(1);
});

test.each([
  ['validating', 'underway'],
  ['printing', 'underway'],
  ['sent', 'sent'],
  ['unprintable', 'rejected'],
  ['action_required', 'rejected'],
])('%s is %s', async (status, progress) => {
  const carrier = pingenCarrier(pingen.options);
  const id = await carrier.submit(letter());
  pingen.letters.get(id)!.status = status;
  expect(await carrier.progress(id)).toBe(progress);
});

test('a letter that is no longer there will not be sent', async () => {
  await expect(pingenCarrier(pingen.options).progress(randomUUID())).rejects.toBeInstanceOf(LetterRejected);
});

test('422 is final, a failure of theirs is not, an expired token is renewed', async () => {
  const carrier = pingenCarrier(pingen.options);
  pingen.state.refuse = 422;
  await expect(carrier.submit(letter())).rejects.toBeInstanceOf(LetterRejected);
  pingen.state.refuse = 503;
  await expect(carrier.submit(letter())).rejects.not.toBeInstanceOf(LetterRejected);
  pingen.state.refuse = 0;
  pingen.state.tokens++;
  await expect(carrier.submit(letter())).rejects.toThrow('401');
  await carrier.submit(letter());
  await expect(pingenCarrier({ ...pingen.options, clientSecret: 'wrong' }).submit(letter())).rejects.toThrow('401');
});

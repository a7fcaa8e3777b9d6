import type { ServiceDefinition } from './service-definition';
import { readable, UnreadableRequest } from './readable-request';

const read = (request: object): unknown => {
  const method = { requestDeserialize: () => request };
  return readable({ method } as unknown as ServiceDefinition)['method']!.requestDeserialize(Buffer.alloc(0));
};
const list = (length: number): object[] => Array.from({ length }, () => ({ description: 'x' }));

test('lists of up to 1,000 entries are read, wherever they are', () => {
  const request = { lines: list(1_000), details: { lines: list(1_000), logo: new Uint8Array(2_000), at: new Date() } };
  expect(read(request)).toBe(request);
});

test.each([
  [{ lines: list(1_001) }, '/lines'],
  [{ details: { lines: list(1_001) } }, '/details/lines'],
  [{ lines: [{ parts: list(1_001) }] }, '/lines/0/parts'],
])('a longer one is refused at its place', (request, path) => {
  const unreadable = read(request);
  expect(unreadable).toBeInstanceOf(UnreadableRequest);
  expect((unreadable as UnreadableRequest).error.details).toEqual([
    { path, message: 'must have at most 1000 entries' },
  ]);
});

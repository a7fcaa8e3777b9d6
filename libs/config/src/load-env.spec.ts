import { loadEnv, maskedSummary, num, secret, str } from './load-env';

const specs = {
  NAME: str(),
  SIZE: num({ default: 3 }),
  TOKEN: secret(),
  URI: str({ default: 'mongodb://me:pass@host/db' }),
};

test('all faults are reported together', () => {
  expect(() => loadEnv({ SIZE: 'x' }, specs)).toThrow(/NAME.*\n.*SIZE.*\n.*TOKEN/s);
});

test('an empty secret is a fault', () => {
  expect(() => loadEnv({ NAME: 'n', TOKEN: '' }, specs)).toThrow(/TOKEN/);
});

test('the summary masks secrets and credentials', () => {
  const values = loadEnv({ NAME: 'n', TOKEN: 't0psecret' }, specs);
  expect(values).toEqual({ NAME: 'n', SIZE: 3, TOKEN: 't0psecret', URI: 'mongodb://me:pass@host/db' });
  expect(maskedSummary(specs, values)).toEqual({ NAME: 'n', SIZE: 3, TOKEN: '***', URI: 'mongodb://***@host/db' });
});

test.each([
  ['nats://a:b@x,nats://c:d@y', 'nats://***@x,nats://***@y'],
  ['smtp://user:p@ss@mail.example:587', 'smtp://***@mail.example:587'],
  ['smtp://user:p,ss@mail.example', 'smtp://***@mail.example'],
  ['mongodb://u:p@one,two:27018/db?replicaSet=rs', 'mongodb://***@one,two:27018/db?replicaSet=rs'],
  ['https://plain.example/path', 'https://plain.example/path'],
])('credentials in %s are masked, every one', (value, masked) => {
  expect(maskedSummary({ URI: str() }, { URI: value })).toEqual({ URI: masked });
});

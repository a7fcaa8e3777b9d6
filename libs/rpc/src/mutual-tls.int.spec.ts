import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Client, credentials, Metadata, status } from '@grpc/grpc-js';
import { rpcIdentity, type RpcIdentity } from './credentials';
import { call, echoDefinition, identityOf, startEcho } from './testing/echo-service';

const script = resolve(__dirname, '../../../deploy/make-certificates.sh');
const folders: string[] = [];
/** Identities whose certificates one authority signed, as the processes read them. */
function authority(...names: string[]): (name: string) => RpcIdentity {
  const folder = mkdtempSync(join(tmpdir(), 'certificates-'));
  folders.push(folder);
  execFileSync(script, [folder, ...names], { stdio: 'pipe' });
  return (name) =>
    rpcIdentity({
      SERVICE_TOKEN: `token-${name}`,
      SERVICE_TOKEN_HASHES: '',
      TLS_CERT_FILE: join(folder, `${name}.crt`),
      TLS_KEY_FILE: join(folder, `${name}.key`),
      TLS_CA_FILE: join(folder, 'ca.crt'),
    });
}

let ours: (name: string) => RpcIdentity;
let foreign: (name: string) => RpcIdentity;
let echo: Awaited<ReturnType<typeof startEcho>>;
const callers: string[] = [];

beforeAll(async () => {
  ours = authority('catalog', 'billing', 'platform-billing', 'printer');
  foreign = authority('catalog', 'billing');
  const say = async (request: { text: string }, { caller }: { caller: string }) => (callers.push(caller), request);
  // Known tokens, too: with certificates they must count for nothing.
  const identity = { ...ours('catalog'), tokenHashes: identityOf('catalog').tokenHashes };
  echo = await startEcho({ say }, { identity });
});
afterAll(async () => {
  await echo.close();
  for (const folder of folders) rmSync(folder, { recursive: true });
});

const sayAs = (identity: RpcIdentity): Promise<unknown> => echo.as(identity).say({ text: 'hello' }, call({}, 3_000));

test('a certificate of our authority lets in, and its common name is the identity', async () => {
  await expect(sayAs(ours('billing'))).resolves.toEqual({ text: 'hello' });
  expect(callers).toEqual(['billing']);
});

test('what only some may call follows the certificate', async () => {
  const grant = (name: string) => echo.as(ours(name)).grant({ text: 'ok' }, call());
  await expect(grant('platform-billing')).resolves.toEqual({ text: 'ok' });
  await expect(grant('billing')).rejects.toMatchObject({ kind: 'forbidden' });
});

test('no certificate and no encryption are refused, with a good token as well', async () => {
  await expect(sayAs(identityOf('billing'))).rejects.toMatchObject({ kind: 'unavailable' });
});

test('our authority signed for somebody who is none of us: a stranger, with a good token as well', async () => {
  const printer = { ...ours('printer'), token: identityOf('billing').token };
  await expect(sayAs(printer)).rejects.toMatchObject({ kind: 'unauthenticated' });
});

test('encryption without a certificate is refused, with a good token as well', async () => {
  const client = new Client(`127.0.0.1:${echo.port}`, credentials.createSsl(ours('billing').tls!.ca));
  const metadata = new Metadata();
  metadata.set('authorization', `Bearer ${identityOf('billing').token}`);
  const { path, requestSerialize, responseDeserialize } = echoDefinition.say;
  const failure = await new Promise((resolve) =>
    client.makeUnaryRequest(path, requestSerialize, responseDeserialize, { text: 'hello' }, metadata, resolve),
  );
  client.close();
  expect(failure).toMatchObject({ code: status.UNAVAILABLE });
});

test('a certificate of another authority is refused, although it trusts ours', async () => {
  const stranger = { ...foreign('billing'), tls: { ...foreign('billing').tls!, ca: ours('billing').tls!.ca } };
  await expect(sayAs(stranger)).rejects.toMatchObject({ kind: 'unavailable' });
});

test('a server of another authority is not believed', async () => {
  const impostor = await startEcho({}, { identity: foreign('catalog') });
  await expect(impostor.as(ours('billing')).say({ text: '' }, call({}, 3_000))).rejects.toMatchObject({
    kind: 'unavailable',
  });
  await impostor.close();
});

test('half a configuration is a fault, not a fall back to plain text', () => {
  const half = { SERVICE_TOKEN: 'x', SERVICE_TOKEN_HASHES: '', TLS_CERT_FILE: '/etc/tls/a.crt' };
  expect(() => rpcIdentity(half)).toThrow(/TLS_KEY_FILE/);
});

test('callers so far were all proven', () => expect(new Set(callers)).toEqual(new Set(['billing'])));

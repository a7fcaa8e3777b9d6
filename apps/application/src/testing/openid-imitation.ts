import { createHash, createSign, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the imitation says of whoever signs in next; a test changes it to lie. */
export interface Said {
  subject: string;
  email: string;
  verified: unknown;
  /** Instead of what was asked. */
  nonce?: string;
  audience?: string;
  issuer?: string;
  /** Signs with a key that it does not publish. */
  isForged?: boolean;
  /** Answers the question for the code so. */
  status?: number;
}

interface Granted {
  readonly challenge: string;
  readonly nonce: string;
  readonly redirectUri: string;
  readonly said: Said;
}

/** An OpenID provider on this machine (Core 1.0, Discovery 1.0, PKCE): it asks nobody for a password. Codes work once. */
export async function startOpenidImitation(clientId: string, clientSecret: string) {
  const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const granted = new Map<string, Granted>();
  const said: Said = { subject: 'subject-1', email: 'an@acme.example', verified: true };
  let issuer = '';
  const json = (response: ServerResponse, body: object, status = 200): void =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

  const authorize = (url: URL, response: ServerResponse): void => {
    const asked = (name: string): string => url.searchParams.get(name) ?? '';
    if (asked('client_id') !== clientId || asked('code_challenge_method') !== 'S256') return json(response, {}, 400);
    const code = randomBytes(16).toString('hex');
    const redirectUri = asked('redirect_uri');
    granted.set(code, { challenge: asked('code_challenge'), nonce: asked('nonce'), redirectUri, said: { ...said } });
    const back = new URL(redirectUri);
    back.search = new URLSearchParams({ code, state: asked('state') }).toString();
    response.writeHead(302, { location: back.href }).end();
  };

  const token = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = new URLSearchParams(Buffer.concat(chunks).toString());
    const grant = granted.get(body.get('code') ?? '');
    granted.delete(body.get('code') ?? '');
    if (grant?.said.status) return json(response, { error: 'server_error' }, grant.said.status);
    const challenge = createHash('sha256')
      .update(body.get('code_verifier') ?? '')
      .digest('base64url');
    const isGood = grant?.challenge === challenge && body.get('redirect_uri') === grant.redirectUri;
    if (!grant || !isGood || body.get('client_secret') !== clientSecret)
      return json(response, { error: 'invalid_grant' }, 400);
    const now = Math.floor(Date.now() / 1000);
    const { subject, email, verified, nonce, audience, isForged } = grant.said;
    const claims = {
      ...{ iss: grant.said.issuer ?? issuer, aud: audience ?? clientId, sub: subject, iat: now, exp: now + 300 },
      ...{ nonce: nonce ?? grant.nonce, email, email_verified: verified },
    };
    const id_token = signed(claims, isForged ? other.privateKey : keys.privateKey);
    json(response, { access_token: 'unused', token_type: 'Bearer', expires_in: 300, id_token });
  };

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', issuer);
    if (url.pathname === '/.well-known/openid-configuration')
      return json(response, {
        ...{ issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` },
        ...{ jwks_uri: `${issuer}/keys`, response_types_supported: ['code'], subject_types_supported: ['public'] },
        ...{ id_token_signing_alg_values_supported: ['RS256'], code_challenge_methods_supported: ['S256'] },
      });
    if (url.pathname === '/keys')
      return json(response, {
        keys: [{ ...keys.publicKey.export({ format: 'jwk' }), kid: '1', alg: 'RS256', use: 'sig' }],
      });
    if (url.pathname === '/authorize') return authorize(url, response);
    if (url.pathname === '/token' && request.method === 'POST') return void token(request, response);
    return json(response, {}, 404);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    said,
    close: (): Promise<void> =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function signed(claims: object, key: KeyObject): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${part({ alg: 'RS256', kid: '1', typ: 'JWT' })}.${part(claims)}`;
  return `${text}.${createSign('RSA-SHA256').update(text).sign(key, 'base64url')}`;
}

import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  discovery,
  enableNonRepudiationChecks,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  type Configuration,
} from 'openid-client';
import { AppError } from '@invoicing/errors';
import type { OpenidProvider } from './openid-provider';

/** What an answer of the provider is checked against; kept until it comes. */
export interface OpenidAsked {
  readonly state: string;
  readonly nonce: string;
  /** Of PKCE. */
  readonly verifier: string;
}

/** Whom a provider says that somebody is. */
export interface OpenidClaims {
  /** Never given to anybody else. */
  readonly subject: string;
  readonly email: string;
  readonly isVerified: boolean;
}

const TIMEOUT_SECONDS = 5;
/** Keys and addresses of a provider may change. */
const KNOWN_MS = 3_600_000;

/** Speaks with the companies' own sign-ins (OpenID Connect, authorization code with PKCE). */
export interface OpenidClient {
  /** Where the browser goes, and what its answer is checked against. Throws `unavailable`. */
  readonly ask: (
    provider: OpenidProvider,
    redirectUri: string,
  ) => Promise<{ readonly url: string; readonly asked: OpenidAsked }>;
  /** Whom the answer in `url` is about; undefined when it is not the answer to what was asked, or says no. Throws `unavailable`. */
  readonly answered: (provider: OpenidProvider, url: URL, asked: OpenidAsked) => Promise<OpenidClaims | undefined>;
}

export function openidClient(now: () => Date): OpenidClient {
  const known = new Map<string, { readonly until: number; readonly configuration: Promise<Configuration> }>();
  const configurationOf = async (provider: OpenidProvider): Promise<Configuration> => {
    const { issuer, clientId, clientSecret } = provider;
    const kept = known.get(provider.id);
    const time = now().getTime();
    const isFresh = kept !== undefined && kept.until > time;
    const configuration = isFresh
      ? kept.configuration
      : discovery(new URL(issuer), clientId, clientSecret, undefined, {
          timeout: TIMEOUT_SECONDS,
          // The signature of what it says is checked, too. Plain http only on this machine: the configuration refuses other addresses.
          execute: [enableNonRepudiationChecks, ...(issuer.startsWith('http:') ? [allowInsecureRequests] : [])],
        });
    if (!isFresh) known.set(provider.id, { until: time + KNOWN_MS, configuration });
    try {
      return await configuration;
    } catch (cause) {
      known.delete(provider.id);
      throw new AppError('unavailable', 'unavailable', `the sign-in of ${provider.id} does not answer`, { cause });
    }
  };
  return {
    ask: async (provider, redirectUri) => {
      const configuration = await configurationOf(provider);
      const asked = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
      const url = buildAuthorizationUrl(configuration, {
        ...{ redirect_uri: redirectUri, scope: 'openid email', response_type: 'code' },
        ...{ state: asked.state, nonce: asked.nonce },
        code_challenge: await calculatePKCECodeChallenge(asked.verifier),
        code_challenge_method: 'S256',
      });
      return { url: url.href, asked };
    },
    answered: async (provider, url, { state, nonce, verifier }) => {
      const configuration = await configurationOf(provider);
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
      try {
        const tokens = await authorizationCodeGrant(configuration, url, checks);
        const claims = tokens.claims();
        if (!claims || typeof claims['email'] !== 'string') return undefined;
        // Some providers say it as a text; nothing but a yes is one.
        const isVerified = claims['email_verified'] === true || claims['email_verified'] === 'true';
        return { subject: claims.sub, email: claims['email'], isVerified };
      } catch (error) {
        if (isAway(error))
          throw new AppError('unavailable', 'unavailable', 'the sign-in does not answer', { cause: error });
        return undefined;
      }
    },
  };
}

/** Nobody answered, or their machine failed: the same answer may still be good. */
function isAway(error: unknown): boolean {
  const { name, code, cause } = error as { name?: string; code?: string; cause?: unknown };
  return (
    name === 'TypeError' ||
    name === 'TimeoutError' ||
    code === 'OAUTH_TIMEOUT' ||
    (cause as { status?: number } | undefined)?.status === 503
  );
}

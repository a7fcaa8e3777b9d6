import { createHash } from 'node:crypto';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { stylesheet } from '@invoicing/design';
import { type EdgeRequest } from '../edge/edge-request';

// The house's stylesheet in the page itself, without its font: nothing else may be in reach.
const STYLE = `${stylesheet([])}
body { min-height: 100vh; display: grid; place-items: center; }
main { box-sizing: border-box; width: min(30rem, 100vw - 2rem); margin: 1rem; padding: 2rem; }
[lang=en] { margin-top: 1.5rem; padding-top: 1.5rem; border-top: 1px solid var(--line); }
.button { margin-top: 1.5rem; }
`;

/** What the page may do: show itself. */
const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`;

const texts = {
  unavailable: {
    nl: ['Even geen verbinding', 'Deze pagina is even niet bereikbaar. Probeer het over een minuut opnieuw.'],
    en: ['One moment, please', 'This page cannot be reached just now. Please try again in a minute.'],
  },
  busy: {
    nl: ['Even te druk', 'Er komen nu te veel aanvragen tegelijk binnen. Probeer het over een minuut opnieuw.'],
    en: ['Too busy just now', 'Too many requests are coming in at once. Please try again in a minute.'],
  },
} as const;

/** A form that was sent cannot simply be asked for again: it gets no link. */
const refusalPage = ({ nl, en }: (typeof texts)[keyof typeof texts], isForm: boolean): string => `<!doctype html>
<html lang="nl">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>${nl[0]}</title>
<style>${STYLE}</style>
<main class="card">
<h1>${nl[0]}</h1>
<p>${nl[1]}</p>
<section lang="en">
<h2>${en[0]}</h2>
<p>${en[1]}</p>
</section>
${isForm ? '' : '<a class="button primary" href="">Opnieuw · Try again</a>'}
</main>
</html>
`;

const refusals = {
  /** What is behind the page is out of reach. */
  unavailable: { status: 501, code: 'unavailable', text: texts.unavailable },
  /** All ways to what is behind the page are taken. */
  busy: { status: 503, code: 'unavailable', text: texts.busy },
  /** This client asks for too much. */
  rate_limited: { status: 429, code: 'rate_limited', text: texts.busy },
} as const;

/** Refuses a page: people see these answers, so people get a sentence, and programs the API's kind of body. */
export function refusePage(
  request: IncomingMessage,
  response: ServerResponse,
  kind: keyof typeof refusals,
  retryAfterSeconds: number,
): void {
  const { edge } = request as EdgeRequest;
  const { status, code, text } = refusals[kind];
  edge.code = code;
  if (response.headersSent) {
    // Too late for another answer: cut it off so that nobody takes half of it for the whole.
    response.destroy();
    return;
  }
  const html = (request.headers.accept ?? '').includes('text/html');
  const body = html ? refusalPage(text, request.method === 'POST') : JSON.stringify({ error: code });
  response
    .writeHead(status, {
      'content-type': html ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      'content-security-policy': POLICY,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': edge.requestId,
      'retry-after': String(retryAfterSeconds),
    })
    .end(body);
}

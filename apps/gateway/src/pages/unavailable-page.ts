import { createHash } from 'node:crypto';

const STYLE = `
:root { color-scheme: light; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: #f4f6f9; color: #17202e;
  font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif; }
main { box-sizing: border-box; width: min(30rem, 100vw - 2rem); margin: 1rem; padding: 2rem; background: #fff;
  border: 1px solid #dfe3e9; border-radius: 14px; }
h1 { margin: 0 0 .5rem; font-size: 1.375rem; line-height: 1.25; }
p { margin: 0; }
[lang=en] { margin-top: 1.5rem; padding-top: 1.5rem; border-top: 1px solid #dfe3e9; }
[lang=en] h1 { font-size: 1.0625rem; }
a { display: inline-block; margin-top: 1.5rem; padding: .625rem 1.25rem; border-radius: 10px; background: #1d4ed8;
  color: #fff; text-decoration: none; font-weight: 600; }
`;

/** What the page may do: show itself. */
export const UNAVAILABLE_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`;

/** For people whose page cannot be reached just now. A form that was sent cannot simply be asked for again: it gets no link. */
export const unavailablePage = (isForm: boolean): string => `<!doctype html>
<html lang="nl">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>Even geen verbinding</title>
<style>${STYLE}</style>
<main>
<h1>Even geen verbinding</h1>
<p>Deze pagina is even niet bereikbaar. Probeer het over een minuut opnieuw.</p>
<section lang="en">
<h1>One moment, please</h1>
<p>This page cannot be reached just now. Please try again in a minute.</p>
</section>
${isForm ? '' : '<a href="">Opnieuw · Try again</a>'}
</main>
</html>
`;

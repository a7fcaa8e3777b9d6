const TIMEOUT_MS = 15_000;

/** Pays a checkout at the sandbox provider as a payer without script does: sends the form, then presses *Pay*. */
export async function payCheckout(url: string, payer: { name: string; email: string }): Promise<void> {
  const provider = await send(url, { type: 'person', method: 'ideal', countryCode: 'NL', ...payer });
  await send(provider, { outcome: 'paid' });
}

/** Posts a form; answers where the payer is sent. */
async function send(url: string, fields: Record<string, string>): Promise<string> {
  const response = await fetch(url, {
    method: 'POST',
    body: new URLSearchParams(fields),
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const location = response.headers.get('location');
  if (response.status !== 303 || !location)
    throw new Error(`${url} answered ${response.status} instead of sending the payer on`);
  return new URL(location, url).href;
}

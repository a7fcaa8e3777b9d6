/** Sends a checkout's form as a payer without script does; answers the address of the sandbox's bank. */
export const startPaying = (url: string, payer: { name: string; email: string }): Promise<string> =>
  send(url, { type: 'person', method: 'ideal', countryCode: 'NL', ...payer });

/** Presses *Pay* at the sandbox's bank, and never comes back. */
export const payAt = async (bank: string): Promise<void> => void (await send(bank, { outcome: 'paid' }));

async function send(url: string, fields: Record<string, string>): Promise<string> {
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
  const location = response.headers.get('location');
  if (response.status !== 303 || !location) throw new Error(`${url} answered ${response.status}`);
  return new URL(location, url).href;
}

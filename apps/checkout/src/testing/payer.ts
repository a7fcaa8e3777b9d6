/** A payer's browser without script: follows links and forms by hand. */
export interface PayerAnswer {
  readonly status: number;
  readonly location: string;
  readonly html: string;
}

export async function get(url: string, headers: Record<string, string> = {}): Promise<PayerAnswer> {
  const response = await fetch(url, { redirect: 'manual', headers: { 'accept-language': 'en', ...headers } });
  return answerOf(response);
}

export async function post(url: string, fields: Record<string, string>): Promise<PayerAnswer> {
  const response = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'accept-language': 'en' },
    body: new URLSearchParams(fields),
  });
  return answerOf(response);
}

const answerOf = async (response: Response): Promise<PayerAnswer> => ({
  status: response.status,
  location: response.headers.get('location') ?? '',
  html: await response.text(),
});

/** The hidden name of the form on a page. */
export const formOf = (html: string): string => /name="form" value="([^"]+)"/.exec(html)?.[1] ?? '';

export const DETAILS = { type: 'person', name: 'Anna de Vries', email: 'anna@example.com', countryCode: 'NL' };

/** Fills the page in and answers the address of the provider's pay page. */
export async function submit(
  page: string,
  method = 'ideal',
  details: Record<string, string> = DETAILS,
): Promise<string> {
  const { html } = await get(page);
  const { location, status } = await post(page, { form: formOf(html), method, ...details });
  if (status !== 303) throw new Error(`the form was answered ${status}`);
  return location;
}

/** Chooses how a sandbox payment ends and comes back to the page. */
export async function finish(
  payPage: string,
  outcome: 'paid' | 'failed' | 'canceled' | 'pending',
): Promise<PayerAnswer> {
  const { location } = await post(payPage, { outcome });
  const returned = await get(location);
  return get(new URL(returned.location, location).href);
}

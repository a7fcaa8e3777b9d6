/** What is wrong with an address that a payer is sent to, or undefined. `https` anywhere; `http` to this machine when the operator allows it. */
export function redirectUrlFault(text: string, allowLoopback: boolean): string | undefined {
  if (text.length > 2_000) return 'must be at most 2000 characters';
  // The URL parser would quietly drop tabs and line breaks.

  if (/[\u0000-\u0020\u007f\\]/.test(text)) return 'must not contain spaces, backslashes or control characters';
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return 'must be an absolute https address';
  const url = new URL(text);
  if (url.username || url.password) return 'must not contain a user name or password';
  if (url.protocol === 'https:') return undefined;
  if (!isLoopback(url.hostname)) return 'must be https';
  return allowLoopback ? undefined : 'must be https: http to this machine is not allowed here';
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);

/** The integrator's address with what happened; its own query stays. */
export function redirectTarget(redirectUrl: string, checkoutId: string): string {
  const url = new URL(redirectUrl);
  url.searchParams.set('checkout', checkoutId);
  url.searchParams.set('status', 'paid');
  return url.href;
}

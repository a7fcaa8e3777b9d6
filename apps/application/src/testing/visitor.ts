/** Somebody's browser, without a screen: it keeps cookies and says where its forms come from. */
export class Visitor {
  readonly cookies = new Map<string, string>();
  /** `Set-Cookie` of the last answer. */
  lastCookies: readonly string[] = [];

  constructor(
    private readonly url: string,
    private readonly origin: string,
  ) {}

  get = (path: string): Promise<Answer> => this.send('GET', path);

  post = (path: string, fields: Record<string, string> = {}, headers: Record<string, string> = {}): Promise<Answer> =>
    this.send('POST', path, new URLSearchParams(fields), { origin: this.origin, ...headers });

  async send(
    method: string,
    path: string,
    body?: URLSearchParams,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(`${this.url}${path}`, {
      method,
      redirect: 'manual',
      headers: { ...headers, ...(cookie && { cookie }), 'accept-language': 'en' },
      ...(body && { body }),
    });
    this.lastCookies = response.headers.getSetCookie();
    for (const each of this.lastCookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(each) ?? [];
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return {
      status: response.status,
      location: response.headers.get('location'),
      headers: response.headers,
      text: await response.text(),
    };
  }
}

export interface Answer {
  readonly status: number;
  readonly location: string | null;
  readonly headers: Headers;
  readonly text: string;
}

/** Where the API is, and as whom. */
export interface Access {
  readonly baseUrl: string;
  readonly apiKey: string;
}

const AGAIN_MS = 1_000;

/** Refused for good: another try would be refused as well. */
class StreamRefused extends Error {}

/**
 * Follows a stream of server-sent events until `signal` says stop; a connection that ends is made again, from what came last on. What is
 * told twice is passed on once.
 */
export async function* follow(access: Access, path: string, signal: AbortSignal): AsyncGenerator<unknown> {
  let lastId: string | undefined;
  const seen = new Set<string>();
  while (!signal.aborted) {
    try {
      const response = await connect(access, path, lastId, signal);
      for await (const { id, data } of messages(response)) {
        lastId = id;
        if (seen.has(data)) continue;
        seen.add(data);
        yield JSON.parse(data) as unknown;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof StreamRefused) throw error;
      // The service is starting again, or the network is away: it goes on from where it was.
    }
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}

async function connect({ baseUrl, apiKey }: Access, path: string, lastId: string | undefined, signal: AbortSignal) {
  const response = await fetch(`${baseUrl}${path}`, {
    headers: {
      authorization: `Bearer ${apiKey}`,
      accept: 'text/event-stream',
      ...(lastId !== undefined && { 'last-event-id': lastId }),
    },
    signal,
  });
  if (response.ok) return response;
  const said = `${path} answered ${response.status} ${await response.text()}`;
  const isFinal = response.status >= 400 && response.status < 500 && response.status !== 429;
  throw isFinal ? new StreamRefused(said) : new Error(said);
}

async function* messages(response: Response): AsyncGenerator<{ id: string | undefined; data: string }> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    rest += decoder.decode(chunk, { stream: true });
    const blocks = rest.split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const [, data] = /^data: (.*)$/m.exec(block) ?? [];
      if (data !== undefined) yield { id: /^id: (.*)$/m.exec(block)?.[1], data };
    }
  }
}

import { createHmac, randomBytes } from 'node:crypto';
import { follow, type Access } from './follow';

interface TestEvent {
  readonly id: string;
  readonly type: string;
  readonly body: string;
}

interface Listening {
  readonly forwardTo: string;
  readonly secret: string;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

const TIME_LIMIT_MS = 15_000;

/** A secret as endpoints have one. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** Posts every event of the organisation to an address on this machine, as a webhook, and says what it answered. */
export async function listen(access: Access, { forwardTo, secret, signal, say }: Listening): Promise<void> {
  say(`signing secret: ${secret}`);
  say(`webhooks go to ${forwardTo}; Ctrl-C ends it`);
  for await (const each of follow(access, '/api/v1/sandbox/events', signal)) {
    const event = each as TestEvent;
    say(`${new Date().toISOString()}  ${event.type}  ${event.id}  ${await deliver(event, forwardTo, secret)}`);
  }
}

/** The headers of a webhook, signed as the service signs (Standard Webhooks). */
function signed({ id, body }: TestEvent, secret: string, now: Date): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1_000));
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
  return { 'content-type': 'application/json', ...headers };
}

async function deliver(event: TestEvent, forwardTo: string, secret: string): Promise<string> {
  try {
    const response = await fetch(forwardTo, {
      method: 'POST',
      headers: signed(event, secret, new Date()),
      body: event.body,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIME_LIMIT_MS),
    });
    await response.body?.cancel();
    return `-> ${response.status}`;
  } catch (error) {
    const { cause } = error as { cause?: { code?: string } };
    return `-> no answer (${cause?.code ?? (error as Error).name})`;
  }
}

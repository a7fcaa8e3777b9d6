import { type Logger } from '@invoicing/telemetry';
import { type SandboxPayment } from './sandbox-payment';

const CALLBACK_TRIES_MS = [0, 1_000, 5_000, 30_000];
const CALLBACK_TIMEOUT_MS = 3_000;

/**
 * Tells the service that something happened to a payment. The first try is waited for: the payer mostly comes back to a page that
 * already knows. When it fails, more follow in the background.
 */
export async function reportPayment(payment: SandboxPayment, log: Logger): Promise<void> {
  if (payment.testScenario === 'callback_lost') return;
  if (payment.testScenario === 'callback_twice') await callBack(payment, log);
  if (!(await callBack(payment, log))) retryLater(payment, 1, log);
}

async function callBack({ _id, callbackUrl }: SandboxPayment, log: Logger): Promise<boolean> {
  try {
    const response = await fetch(callbackUrl, {
      method: 'POST',
      body: new URLSearchParams({ id: _id }),
      signal: AbortSignal.timeout(CALLBACK_TIMEOUT_MS),
      redirect: 'error',
    });
    await response.body?.cancel();
    return response.ok;
  } catch (error) {
    log.info({ paymentId: _id, error }, 'sandbox callback not delivered');
    return false;
  }
}

function retryLater(payment: SandboxPayment, tries: number, log: Logger): void {
  const delayMs = CALLBACK_TRIES_MS[tries];
  if (delayMs === undefined) return;
  setTimeout(() => {
    void callBack(payment, log).then((done) => (done ? undefined : retryLater(payment, tries + 1, log)));
  }, delayMs).unref();
}

import { newId, oneOf, type Traffic } from './one-client';

// What payers do: pay, try again after a failure, change their mind, pay late, pay twice, have their bank take it back.

const OUTCOMES: readonly (readonly string[])[] = [
  ['paid'],
  ['paid'],
  ['failed', 'paid'],
  ['canceled'],
  ['canceled', 'paid'],
  ['pending', 'paid'],
  [],
];
const LATE_MS = 1_500;
const CHARGED_BACK = 0.15;
const DETAILS = { type: 'person', name: 'Anna de Vries', countryCode: 'NL' };

/** Pays a checkout in one of the ways in which payers do, each outcome in an attempt of its own but for what only takes its time. */
export async function payCheckout(traffic: Traffic, page: string, title: string): Promise<void> {
  const outcomes = oneOf(traffic.random, OUTCOMES)!;
  let payPage: string | undefined;
  for (const [index, outcome] of outcomes.entries()) {
    const isLate = outcomes[index - 1] === 'pending';
    if (isLate) await new Promise((resolve) => setTimeout(resolve, LATE_MS));
    else payPage = await startPayment(traffic, page, { ...DETAILS, email: `${title}@example.nl` });
    if (payPage === undefined) return;
    await decide(traffic, payPage, outcome);
    if (outcome === 'paid') await chargeBack(traffic, payPage);
  }
}

/** Pays an issued invoice by the button on its public page, now and then twice at once. */
export async function payOnline(traffic: Traffic): Promise<void> {
  const { url, world, recorder, random } = traffic;
  const invoice = oneOf(random, world.invoices.slice(-40));
  if (!invoice) return;
  const page = await recorder.http(`${url}/p/${invoice.publicToken}`, {}, ({ status }) => status === 200);
  const link = /href="([^"]*\/c\/[^"]+)"/.exec(page.text)?.[1];
  if (page.verdict !== 'done' || link === undefined) return;
  const payPages = await Promise.all(
    Array.from({ length: random() < 0.2 ? 2 : 1 }, () => startPayment(traffic, link.replaceAll('&amp;', '&'), {})),
  );
  await Promise.all(
    payPages.map(async (each) => {
      if (each === undefined) return;
      await decide(traffic, each, 'paid');
      await chargeBack(traffic, each);
    }),
  );
}

/** Sends the form, the same one again until the payer is sent on; undefined when the page does not take it any more. */
async function startPayment(
  { recorder }: Traffic,
  page: string,
  details: Record<string, string>,
): Promise<string | undefined> {
  const form = newId();
  const fields = () => new URLSearchParams({ form, method: 'ideal', ...details });
  const send = () =>
    recorder.http(
      page,
      { method: 'POST', body: fields() },
      (response) => response.status === 303 || response.status === 200,
    );
  let answer = await send();
  for (let tries = 0; tries < 20 && !/^https?:.*\/sandbox\//.test(answer.text); tries++) {
    if (answer.verdict === 'refused' || recorder.now() > recorder.givesUpAt) return undefined;
    await new Promise((resolve) => setTimeout(resolve, 250));
    answer = await send();
  }
  return /^https?:.*\/sandbox\//.test(answer.text) ? answer.text : undefined;
}

async function decide({ recorder, random }: Traffic, payPage: string, outcome: string): Promise<void> {
  const send = () =>
    recorder.http(payPage, { method: 'POST', body: new URLSearchParams({ outcome }) }, ({ status }) => status === 303);
  await recorder.run({ id: newId(), kind: 'pay', subject: payPage }, send, { patience: random() < 0.1 ? 1 : Infinity });
}

/** Now and then the payer's bank takes back what was paid, all of it or a part; the provider's books say how much in the end. */
async function chargeBack({ recorder, random }: Traffic, payPage: string): Promise<void> {
  if (random() >= CHARGED_BACK) return;
  const part = random() < 0.5 ? '' : String(1 + Math.floor(random() * 300));
  const body = () => new URLSearchParams({ outcome: 'chargeback', amountCents: part });
  const send = () => recorder.http(payPage, { method: 'POST', body: body() }, ({ status }) => status === 303);
  await recorder.run({ id: newId(), kind: 'chargeback', subject: payPage }, send, { patience: 3 });
}

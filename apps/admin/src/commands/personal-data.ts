import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { Customer } from '@invoicing/contracts/invoicing/catalog/v1/catalog';
import type { ErasedData, HeldDocument, Person } from '@invoicing/contracts/invoicing/privacy/v1/privacy';
import { operatorCall, type Services } from '../platform';
import { verb } from '../verb';

type PersonalData = Services['personalData'][keyof Services['personalData']];
interface Whose {
  readonly organizationId: string;
  readonly person: Person;
}

const PAGE_TIMEOUT_MS = 60_000;
// Of what the customer's ids are learnt, by which the other services know what is about the person.
const SUBJECTS = ['billing', 'checkout'] as const;

const whose = ({ id, organizationId, details }: Customer): Whose => ({
  organizationId,
  person: {
    customerId: id,
    email: details?.email,
    btwId: details?.btwId,
    externalId: details?.externalId,
    subjectIds: [],
  },
});

async function held(from: PersonalData, of: Whose): Promise<HeldDocument[]> {
  const documents: HeldDocument[] = [];
  for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
    const page = await from.exportPersonalData({ ...of, cursor }, operatorCall(PAGE_TIMEOUT_MS));
    documents.push(...page.documents);
    cursor = page.cursor;
  }
  return documents;
}

/** With the ids of what billing and checkout have made for the customer. */
async function withSubjects(services: Services, of: Whose): Promise<Whose> {
  let known = of;
  for (const service of SUBJECTS) {
    const found = await held(services.personalData[service], known);
    const subjectIds = [...new Set([...known.person.subjectIds, ...found.map(({ id }) => id).filter(isSubject)])];
    known = { ...known, person: { ...known.person, subjectIds } };
  }
  return known;
}

// An account entry has an id of another form.
const isSubject = (id: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id);

async function exported(services: Services, customer: Customer) {
  const of = await withSubjects(services, whose(customer));
  const data: Record<string, unknown[]> = {};
  for (const part of partsOf(services))
    for (const { data: kind, json } of await held(part, of)) (data[kind] ??= []).push(JSON.parse(json));
  return { id: customer.id, organizationId: customer.organizationId, exportedAt: new Date(), data };
}

const partsOf = ({ personalData }: Services): PersonalData[] => Object.values(personalData);

async function eraseFrom(from: PersonalData, of: Whose): Promise<ErasedData[]> {
  const data: ErasedData[] = [];
  for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
    const page = await from.erasePersonalData({ ...of, cursor }, operatorCall(PAGE_TIMEOUT_MS));
    data.push(...page.data);
    cursor = page.cursor;
  }
  return data;
}

/** What is found is erased everywhere before the record goes by which it is found: whoever is cut off begins again. */
async function erased(services: Services, customer: Customer) {
  const { id: customerId, organizationId } = customer;
  await services.customers.beginErasure({ organizationId, customerId }, operatorCall());
  const of = await withSubjects(services, whose(customer));
  const data: ErasedData[] = [];
  for (const part of partsOf(services)) data.push(...(await eraseFrom(part, of)));
  const documents = await held(services.personalData.billing, of);
  const invoices = documents.filter((each) => each.data === 'billing.invoices').length;
  const postponed = sums(data, 'postponed');
  // What is still at work is found by the customer's details when it is over.
  const isDone = Object.keys(postponed).length === 0;
  const { removed } = isDone
    ? await services.customers.finishErasure({ organizationId, customerId, isReferredTo: invoices > 0 }, operatorCall())
    : { removed: false };
  return {
    id: customerId,
    organizationId,
    done: isDone,
    removed,
    invoicesKept: invoices,
    erased: sums(data, 'erased'),
    postponed,
  };
}

function sums(data: readonly ErasedData[], field: 'erased' | 'postponed'): Record<string, number> {
  const all: Record<string, number> = {};
  for (const each of data) if (each[field] > 0) all[each.data] = (all[each.data] ?? 0) + each[field];
  return all;
}

/** `customer export` and `customer erase`: docs/retention.md. */
export function addPersonalData(customer: Command): void {
  const find = (services: Services, customerId: string): Promise<Customer> =>
    services.customers.getCustomer({ organizationId: '', customerId }, operatorCall());

  verb<{ out?: string }>(
    customer,
    'export <id>',
    'everything that is held about a person, in all services',
    async (services, { out }, id) => {
      const document = await exported(services, await find(services, id!));
      if (out === undefined) return document;
      writeFileSync(out, JSON.stringify(document, null, 2), { mode: 0o600 });
      const counts = Object.fromEntries(Object.entries(document.data).map(([kind, found]) => [kind, found.length]));
      return { id: document.id, file: out, documents: counts };
    },
  ).option('--out <file>', 'write it there, readable by you alone, and print only how much it is');
  verb(
    customer,
    'erase <id>',
    'remove what is held about a person, but for what the law asks to be kept; may be repeated',
    async (services, _flags, id) => erased(services, await find(services, id!)),
  );
}

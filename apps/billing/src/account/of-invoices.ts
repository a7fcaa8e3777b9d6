import { batched } from '@invoicing/concurrency';

interface Asked {
  readonly organizationId: string;
  readonly invoiceIds: readonly string[];
}

/** Invoices asked about in one command; one question about more is a command of its own. */
const MOST_IN_ONE = 1_000;

/**
 * Reads what belongs to invoices, of each organisation in one command, however many ask at once: what is asked while a command runs is
 * answered by a later one, so each answer is of after its question. Answers it by invoice, each in the order in which it was read; what
 * others asked about may be there too.
 */
export function ofInvoices<V extends { readonly invoiceId: string }>(
  read: (organizationId: string, invoiceIds: readonly string[]) => Promise<readonly V[]>,
): (organizationId: string, invoiceIds: readonly string[]) => Promise<ReadonlyMap<string, readonly V[]>> {
  const byInvoice = async (organizationId: string, asked: readonly Asked[]): Promise<Map<string, V[]>> => {
    const ids = new Set(asked.flatMap((each) => (each.organizationId === organizationId ? each.invoiceIds : [])));
    const found = new Map<string, V[]>();
    for (const each of await read(organizationId, [...ids])) {
      const known = found.get(each.invoiceId);
      if (known) known.push(each);
      else found.set(each.invoiceId, [each]);
    }
    return found;
  };
  const ask = batched(
    { limit: MOST_IN_ONE, weightOf: ({ invoiceIds }: Asked) => invoiceIds.length },
    async (asked: readonly Asked[]) => {
      const organizationIds = [...new Set(asked.map(({ organizationId }) => organizationId))];
      const found = await Promise.all(organizationIds.map((each) => byInvoice(each, asked)));
      const ofOrganization = new Map(organizationIds.map((each, index) => [each, found[index]!]));
      return asked.map(({ organizationId }) => ofOrganization.get(organizationId)!);
    },
  );
  return async (organizationId, invoiceIds) =>
    invoiceIds.length === 0 ? new Map() : ask({ organizationId, invoiceIds });
}

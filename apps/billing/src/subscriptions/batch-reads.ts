import type { Call, Catalog, Organizations, Ports } from '../invoices/invoice-ports';

// The catalog takes at most 1 000 ids of a kind; the ids of one invoice are at most 500.
const MAX_IDS = 500;

/**
 * The same ports for many invoices at once: what is asked while an equal question is on its way is asked together. A run of
 * thousands then reads an organisation and its customers once a batch instead of once an invoice.
 */
export const sharedReads = (ports: Ports): Ports => ({
  ...ports,
  organizations: sharedOrganizations(ports.organizations),
  catalog: sharedCatalog(ports.catalog),
});

function sharedOrganizations(organizations: Organizations): Organizations {
  const asked = new Map<string, ReturnType<Organizations['find']>>();
  return {
    ...organizations,
    find: (id) => {
      const known = asked.get(id);
      if (known) return known;
      const found = organizations.find(id).finally(() => asked.delete(id));
      asked.set(id, found);
      return found;
    },
  };
}

type Ids = Parameters<Catalog['resolve']>[1];
type Resolved = Awaited<ReturnType<Catalog['resolve']>>;

interface Question {
  readonly ids: Ids;
  readonly call: Call;
  readonly resolve: (answer: Resolved) => void;
  readonly reject: (error: unknown) => void;
}

function sharedCatalog(catalog: Catalog): Catalog {
  // By organisation: what waits for the call that is on its way.
  const waiting = new Map<string, Question[]>();

  const drain = async (organizationId: string, questions: Question[]): Promise<void> => {
    while (questions.length > 0) {
      const together = takeTogether(questions);
      const ids = { customerIds: union(together, 'customerIds'), productIds: union(together, 'productIds') };
      try {
        const answer = await catalog.resolve(organizationId, ids, together[0]!.call);
        for (const { resolve } of together) resolve(answer);
      } catch (error) {
        for (const { reject } of together) reject(error);
      }
    }
    waiting.delete(organizationId);
  };

  return {
    resolve: (organizationId, ids, call) =>
      new Promise((resolve, reject) => {
        const question = { ids, call, resolve, reject };
        const others = waiting.get(organizationId);
        if (others) {
          others.push(question);
          return;
        }
        const questions = [question];
        waiting.set(organizationId, questions);
        void drain(organizationId, questions);
      }),
  };
}

/** Removes the first questions, as many as fit into one call; at least one. */
function takeTogether(questions: Question[]): Question[] {
  let count = 0;
  for (let size = 0; count < questions.length; count++) {
    const { customerIds, productIds } = questions[count]!.ids;
    size += Math.max(customerIds.length, productIds.length);
    if (count > 0 && size > MAX_IDS) break;
  }
  return questions.splice(0, count);
}

const union = (questions: readonly Question[], kind: keyof Ids): string[] => [
  ...new Set(questions.flatMap(({ ids }) => ids[kind])),
];

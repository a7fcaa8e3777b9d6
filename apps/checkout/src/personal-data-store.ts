import {
  nativeCollection,
  openCollection,
  personalPage,
  type Connection,
  type History,
  type PersonalSource,
  type Person,
  type QueryFilter,
} from '@invoicing/mongo';
import { forgetPayer } from './purge-store';
import { isLive } from './sessions/session';
import { sessionCollection, type SessionDocument } from './sessions/session-store';

/** In what checkout may name a customer: as the payer of a session, or in what the payer's form was filled with. */
export async function openPersonalData(
  connection: Connection,
  history: Pick<History, 'copyNow'>,
): Promise<PersonalSource[]> {
  const sessions = await openCollection(connection, sessionCollection);
  const native = nativeCollection(sessions);
  return [
    {
      data: 'checkout.sessions',
      page: (person, cursor) => personalPage(sessions, sessionsOf(person), cursor, ['outbox', 'token']),
      erase: async ({ organizationId }, documents) => {
        const found = documents as readonly SessionDocument[];
        const settled = found.filter((each) => !isUnderWay(each));
        if (settled.length === 0) return { erased: 0, postponed: found.length };
        await history.copyNow(organizationId);
        const { deletedCount, modifiedCount } = await native.bulkWrite(
          settled.map((each) => (hasMoney(each) ? forgetPayer(each) : removal(each))),
          { ordered: false },
        );
        const erased = deletedCount + modifiedCount;
        return { erased, postponed: found.length - erased };
      },
    },
  ];
}

/** Of the customer's invoices, or with the customer's details: the same that make a payer a known customer (catalog's match). */
function sessionsOf({ organizationId, subjectIds, ...known }: Person): QueryFilter<SessionDocument> {
  const parties = partiesOf(known).flatMap((party) => [
    prefixed('prefill', party),
    { attempts: { $elemMatch: prefixed('payer', party) } },
  ]);
  return {
    organizationId,
    $or: [{ 'invoice.id': { $in: [...subjectIds] } }, ...parties],
  } as QueryFilter<SessionDocument>;
}

function partiesOf({ externalId, btwId, email }: Pick<Person, 'externalId' | 'btwId' | 'email'>): object[] {
  // The integrator's own id tells customers apart; with a VAT number an equal address is not enough.
  const notAnother = externalId === undefined ? {} : { externalId: null };
  return [
    ...(externalId === undefined ? [] : [{ externalId }]),
    ...(btwId === undefined ? [] : [{ btwId, ...notAnother }]),
    ...(email === undefined ? [] : [{ email: sameText(email), btwId: null, ...notAnother }]),
  ];
}

const sameText = (text: string) => ({ $regex: `^${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`, $options: 'i' });

const prefixed = (path: string, fields: object): object =>
  Object.fromEntries(Object.entries(fields).map(([field, value]) => [`${path}.${field}`, value]));

const isUnderWay = ({ attempts, fulfilment }: SessionDocument): boolean =>
  attempts.some(isLive) || fulfilment?.status === 'due';

const hasMoney = ({ kind, attempts }: SessionDocument): boolean =>
  kind === 'invoice' || attempts.some(({ status }) => status === 'paid' || status === 'mismatched');

const removal = ({ organizationId, _id, revision }: SessionDocument) => ({
  deleteOne: { filter: { organizationId, _id, revision } },
});

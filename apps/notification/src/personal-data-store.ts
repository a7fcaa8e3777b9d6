import { openCollection, personalPage, type Connection, type Held, type PersonalSource } from '@invoicing/mongo';
import { letterCollection, letterIdOf } from './letters/letter-store';
import { mailCollection, mailIdOf } from './mail/mail-store';
import { deleteFilesOf } from './mail/message-file-store';
import { peppolCollection } from './peppol/peppol-delivery-store';
import type { Delivery } from './webhooks/delivery';
import { deliveryCollection } from './webhooks/delivery-store';

const ANONYMOUS = { to: 'erased', subject: '', attachments: [], reason: '' };
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const idsOf = (documents: readonly Held[]): string[] => documents.map(({ _id }) => _id);

/** In what notification may name a customer; `folders`: where messages lie that did not leave the machine. */
export async function openPersonalData(connection: Connection, folders: readonly string[]): Promise<PersonalSource[]> {
  const mails = await openCollection(connection, mailCollection);
  const letters = await openCollection(connection, letterCollection);
  const peppol = await openCollection(connection, peppolCollection);
  const deliveries = await openCollection(connection, deliveryCollection);
  return [
    {
      data: 'notification.mails',
      page: ({ organizationId, subjectIds }, cursor) =>
        personalPage(mails, { organizationId, _id: { $in: subjectIds.map(mailIdOf) } }, cursor),
      erase: async ({ organizationId }, documents) => {
        const over = { organizationId, _id: { $in: idsOf(documents) }, status: { $ne: 'pending' as const } };
        const { matchedCount } = await mails.updateMany(over, { $set: ANONYMOUS });
        await deleteFilesOf(folders, idsOf(documents));
        return { erased: matchedCount, postponed: documents.length - matchedCount };
      },
    },
    {
      data: 'notification.letters',
      page: ({ organizationId, subjectIds }, cursor) =>
        personalPage(letters, { organizationId, _id: { $in: subjectIds.map(letterIdOf) } }, cursor),
      // The record names the document only.
      erase: async (_person, documents) => {
        await deleteFilesOf(folders, idsOf(documents));
        return { erased: 0, postponed: 0 };
      },
    },
    {
      // The proof that a document was sent as the law asks stays.
      data: 'notification.peppol_deliveries',
      page: ({ organizationId, subjectIds }, cursor) =>
        personalPage(peppol, { organizationId, invoiceId: { $in: [...subjectIds] } }, cursor),
    },
    {
      data: 'notification.deliveries',
      page: async ({ organizationId, customerId, subjectIds }, cursor) => {
        const { items, next } = await personalPage(deliveries, { organizationId }, cursor);
        const ids = new Set([customerId, ...subjectIds]);
        const names = ({ body }: Delivery): boolean => (body.match(UUID) ?? []).some((id) => ids.has(id));
        return { items: items.filter(names), ...(next !== undefined && { next }) };
      },
      erase: async ({ organizationId }, documents) => {
        const over = { organizationId, _id: { $in: idsOf(documents) }, status: { $ne: 'pending' as const } };
        const { deletedCount } = await deliveries.deleteMany(over);
        return { erased: deletedCount, postponed: documents.length - deletedCount };
      },
    },
  ];
}

import { deleteSome, openCollection, type Connection, type Purges } from '@invoicing/mongo';
import { letterCollection } from './letters/letter-store';
import { mailCollection } from './mail/mail-store';
import { purgeFiles } from './mail/message-file-store';
import { peppolCollection } from './peppol/peppol-delivery-store';
import { recipientCollection } from './peppol/recipient-store';
import { deliveryCollection } from './webhooks/delivery-store';

/** What notification purges because of its age; `folders`: where messages lie that did not leave the machine. What is on its way stays. */
export async function openPurges(connection: Connection, folders: readonly string[]): Promise<Purges> {
  const mails = await openCollection(connection, mailCollection);
  const letters = await openCollection(connection, letterCollection);
  const peppol = await openCollection(connection, peppolCollection);
  const recipients = await openCollection(connection, recipientCollection);
  const deliveries = await openCollection(connection, deliveryCollection);
  return {
    mails: (before, limit) =>
      deleteSome(mails, { status: { $in: ['sent', 'failed'] }, createdAt: { $lt: before } }, limit),
    letters: (before, limit) =>
      deleteSome(letters, { status: { $in: ['sent', 'failed'] }, createdAt: { $lt: before } }, limit),
    peppolDeliveries: (before, limit) =>
      deleteSome(peppol, { status: { $in: ['delivered', 'failed', 'skipped'] }, createdAt: { $lt: before } }, limit),
    peppolRecipients: (before, limit) => deleteSome(recipients, { lookedUpAt: { $lt: before } }, limit),
    deliveries: (before, limit) =>
      deleteSome(deliveries, { status: { $in: ['delivered', 'failed', 'held'] }, createdAt: { $lt: before } }, limit),
    mailFiles: (before, limit) => purgeFiles(folders, before, limit),
  };
}

import { declareCollection, openCollection, required, type Connection } from '@invoicing/mongo';
import { v5 as uuidv5 } from 'uuid';

/** What the network said of a participant. */
export interface KnownRecipient {
  /** Scheme and id, e.g. `0208:0123456749`. */
  readonly participant: string;
  /** Whether it delivers invoices there. */
  readonly receives: boolean;
  readonly lookedUpAt: Date;
}

interface RecipientDocument extends KnownRecipient {
  readonly _id: string;
  readonly organizationId: string;
  /** UUID of the account that it was asked by: another one may reach others. */
  readonly accountId: string;
}

export const recipientCollection = declareCollection<RecipientDocument>('recipients', {
  shardKey: { organizationId: 1, _id: 1 },
  fields: {
    organizationId: required(String),
    accountId: required(String),
    participant: required(String),
    receives: required(Boolean),
    lookedUpAt: required(Date),
  },
  // For what is purged by its age.
  indexes: [[{ lookedUpAt: 1 }]],
});

const RECIPIENTS = '6f6a0f1e-6a1c-5d0e-9d0b-706565700002';

export type RecipientStore = Awaited<ReturnType<typeof openRecipientStore>>;

/** What an organisation has asked the network about participants. */
export async function openRecipientStore(connection: Connection) {
  const recipients = await openCollection(connection, recipientCollection);
  const idOf = (accountId: string, participant: string): string => uuidv5(`${accountId} ${participant}`, RECIPIENTS);
  return {
    find: (organizationId: string, accountId: string, participant: string): Promise<KnownRecipient | null> =>
      recipients
        .findOne({ organizationId, _id: idOf(accountId, participant) })
        .lean<KnownRecipient>()
        .exec(),

    /** In place of what was known. */
    save: async (organizationId: string, accountId: string, known: KnownRecipient): Promise<void> => {
      const { participant, receives, lookedUpAt } = known;
      await recipients.updateOne(
        { organizationId, _id: idOf(accountId, participant) },
        { $set: { accountId, participant, receives, lookedUpAt } },
        { upsert: true },
      );
    },
  };
}

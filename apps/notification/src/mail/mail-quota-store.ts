import { declareCollection, isDuplicateKey, nativeCollection, openCollection, required } from '@invoicing/mongo';
import type { Connection } from '@invoicing/mongo';
import { keptMs } from '@invoicing/rules';

/** How many messages of an organisation were let through on a day. */
interface MailDay {
  /** `<organisation>:<YYYY-MM-DD>`. */
  readonly _id: string;
  readonly organizationId: string;
  readonly count: number;
  /** When nobody needs it any more. */
  readonly expiresAt: Date;
}

const mailDayCollection = declareCollection<MailDay>('mail_days', {
  shardKey: { _id: 'hashed' },
  fields: { organizationId: required(String), count: required(Number), expiresAt: required(Date) },
  indexes: [[{ expiresAt: 1 }, { expireAfterSeconds: 0 }]],
});

export type MailDays = Awaited<ReturnType<typeof openMailDays>>;

/** How many messages each organisation has sent today. */
export async function openMailDays(connection: Connection) {
  const days = nativeCollection(await openCollection(connection, mailDayCollection));
  return {
    /** Takes one of `limit` messages of the day (YYYY-MM-DD, UTC); false when none is left. */
    take: async (organizationId: string, day: string, limit: number): Promise<boolean> => {
      if (limit < 1) return false;
      const _id = `${organizationId}:${day}`;
      const expiresAt = new Date(Date.parse(day) + keptMs('mailDays'));
      try {
        await days.updateOne(
          { _id, count: { $lt: limit } },
          { $inc: { count: 1 }, $setOnInsert: { organizationId, expiresAt } },
          { upsert: true },
        );
        return true;
      } catch (error) {
        // The day is there and full, so that the upsert would have made a second one; or another process made it this moment.
        if (!isDuplicateKey(error)) throw error;
        const { modifiedCount } = await days.updateOne({ _id, count: { $lt: limit } }, { $inc: { count: 1 } });
        return modifiedCount === 1;
      }
    },
  };
}

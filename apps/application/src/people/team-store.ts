import {
  compareAndSet,
  declareCollection,
  embedded,
  insertOnce,
  oneOf,
  openCollection,
  required,
  type Connection,
} from '@invoicing/mongo';
import { AppError } from '@invoicing/errors';
import { roles } from '@invoicing/rules';
import { emptyTeam, type Member, type Team } from './team';

const memberSchema = embedded<Member>({
  id: required(String),
  userId: required(String),
  email: required(String),
  role: oneOf(...roles) as never,
  status: oneOf('invited', 'active') as never,
  createdAt: required(Date),
  inviteHash: String,
  inviteUntil: Date,
});

const teams = declareCollection<Team>('teams', {
  shardKey: 'one shard',
  fields: { revision: required(Number), members: required([memberSchema]) },
  indexes: [[{ 'members.userId': 1 }], [{ 'members.inviteHash': 1 }], [{ 'members.id': 1 }]],
});

const ATTEMPTS = 20;

export type TeamStore = Awaited<ReturnType<typeof openTeamStore>>;

/** Who is in which organisation. */
export async function openTeamStore(connection: Connection) {
  const model = await openCollection(connection, teams);
  const find = (filter: object): Promise<Team | null> => model.findOne(filter).lean<Team>().exec();
  return {
    find: (organizationId: string) => find({ _id: organizationId }),
    ofInvite: (hash: string) => find({ 'members.inviteHash': hash }),
    ofMember: (memberId: string) => find({ 'members.id': memberId }),
    /** The teams that a user is in, or invited to. */
    ofUser: (userId: string): Promise<Team[]> =>
      model.find({ 'members.userId': userId }).sort({ _id: 1 }).lean<Team[]>().exec(),

    /** Changes a team by a rule, as if nobody else did; what the rule throws is thrown. */
    change: async <T extends { readonly team: Team }>(
      organizationId: string,
      rule: (team: Team) => T | undefined,
    ): Promise<T | undefined> => {
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const found = await find({ _id: organizationId });
        const result = rule(found ?? emptyTeam(organizationId));
        if (!result) return undefined;
        const { revision, members } = result.team;
        const isDone = found
          ? await compareAndSet(
              model,
              { _id: organizationId, revision: found.revision },
              { $set: { revision, members } },
            )
          : await insertOnce(model, result.team, '_id');
        if (isDone) return result;
      }
      throw new AppError('busy', 'busy', 'the people of this organisation are being changed');
    },
  };
}

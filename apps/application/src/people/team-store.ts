import {
  declareCollection,
  embedded,
  oneOf,
  openCollection,
  openHistory,
  pendingChangeIndex,
  recordedFields,
  required,
  type Connection,
  type History,
  type IndexDeclaration,
  type Model,
} from '@invoicing/mongo';
import { AppError } from '@invoicing/errors';
import { roles } from '@invoicing/rules';
import { emptyTeam, type Member, type Team, type TeamChange } from './team';

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

// A team names no organisation: its id is the organisation's.
const [, pending] = pendingChangeIndex;
const pendingTeamIndex: IndexDeclaration = [{ 'lastChange.isPending': 1 }, { ...pending }];

const teams = declareCollection<Team>('teams', {
  shardKey: 'one shard',
  fields: { ...recordedFields, members: required([memberSchema]) },
  indexes: [[{ 'members.userId': 1 }], [{ 'members.inviteHash': 1 }], [{ 'members.id': 1 }], pendingTeamIndex],
});

const ATTEMPTS = 20;

export type TeamStore = ReturnType<typeof teamStore>;

export const openTeams = (connection: Connection): Promise<Model<Team>> => openCollection(connection, teams);

/** Who changed what of people, newest first. */
export const openTeamHistory = (connection: Connection, model: Model<Team>): Promise<History> =>
  openHistory(connection, [model]);

/** Who is in which organisation. */
export function teamStore(model: Model<Team>, history: History) {
  const find = (filter: object): Promise<Team | null> => model.findOne(filter).lean<Team>().exec();
  return {
    find: (organizationId: string) => find({ _id: organizationId }),
    ofInvite: (hash: string) => find({ 'members.inviteHash': hash }),
    ofMember: (memberId: string) => find({ 'members.id': memberId }),
    /** The teams that a user is in, or invited to. */
    ofUser: (userId: string): Promise<Team[]> =>
      model.find({ 'members.userId': userId }).sort({ _id: 1 }).lean<Team[]>().exec(),

    /** Changes a team by a rule, as if nobody else did, and records who did; what the rule throws is thrown. */
    change: async <T extends { readonly team: Team; readonly member: Member }>(
      organizationId: string,
      as: TeamChange,
      rule: (team: Team) => T | undefined,
    ): Promise<T | undefined> => {
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const found = await find({ _id: organizationId });
        const result = rule(found ?? emptyTeam(organizationId));
        if (!result) return undefined;
        const { member, team } = result;
        const change = { ...as, subject: { kind: 'member', id: member.id, label: member.email }, fields: [] };
        if (
          found &&
          (await history.tryChange(model, found, { ...change, update: { $set: { members: [...team.members] } } }))
        )
          return result;
        if (!found && isOurs(await history.insert(model, team, change), member)) return result;
      }
      throw new AppError('busy', 'busy', 'the people of this organisation are being changed');
    },
  };
}

/** Two made the first member at once: one of them changes what the other made. */
const isOurs = ({ members }: Team, { id }: Member): boolean => members.length === 1 && members[0]?.id === id;

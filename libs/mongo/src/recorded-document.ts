import { type Actor } from '@invoicing/rules';
import { declareCollection, embedded, oneOf, required, type IndexDeclaration } from './declare-collection';
import { NEWEST_FIRST } from './newest';

/** What a change was made to, as people knew it then. */
export interface Subject {
  readonly kind: string;
  readonly id: string;
  readonly label: string;
}

/** Who changed what. */
export interface Change {
  readonly by: Actor;
  /** noun.past_tense, e.g. `customer.updated`. */
  readonly action: string;
  readonly subject: Subject;
  /** Names of the fields that changed. */
  readonly fields: readonly string[];
}

/** The last change of a document; `isPending` until the history has it. */
export interface LastChange extends Change {
  readonly at: Date;
  /** Of the document after the change: what else changes it grows on. Absent in documents from before it was kept. */
  readonly revision?: number | undefined;
  readonly isPending?: boolean | undefined;
}

/**
 * What a document keeps of its changes; those of a version before have none of it, until they change. One that names no organisation is
 * the organisation itself.
 */
export interface RecordedSelf {
  readonly _id: string;
  /** Grows by one with every change. */
  readonly revision?: number | undefined;
  readonly updatedAt?: Date | undefined;
  readonly updatedBy?: Actor | undefined;
  readonly lastChange?: LastChange | undefined;
}

/** The same of an organisation's document. */
export interface Recorded extends RecordedSelf {
  readonly organizationId: string;
}

/** One change of one document; `_id` is `<document id>:<revision>`. */
export interface HistoryEntry extends Change {
  readonly _id: string;
  readonly organizationId: string;
  readonly revision: number;
  /** When the change was made, not when it was copied. */
  readonly createdAt: Date;
}

const actorFields = { kind: oneOf('user', 'key', 'operator', 'service'), id: required(String), label: String };

/** Who did something, as it is kept. */
export const actorSchema = embedded<Actor>(actorFields);

const changeFields = {
  by: required(embedded<Actor>(actorFields)),
  action: required(String),
  subject: required(embedded<Subject>({ kind: required(String), id: required(String), label: required(String) })),
  fields: required([String]),
};

/** Fields of a collection whose changes are recorded. */
export const recordedFields = {
  revision: Number,
  updatedAt: Date,
  updatedBy: embedded<Actor>(actorFields),
  lastChange: embedded<LastChange>({ ...changeFields, at: required(Date), revision: Number, isPending: Boolean }),
};

/** Finds what the history does not have yet. An index of every such collection. */
export const pendingChangeIndex: IndexDeclaration = [
  { organizationId: 1, 'lastChange.isPending': 1 },
  { partialFilterExpression: { 'lastChange.isPending': true } },
];

export const historyCollection = declareCollection<HistoryEntry>('history', {
  shardKey: { organizationId: 1 },
  fields: {
    organizationId: required(String),
    revision: required(Number),
    createdAt: required(Date),
    ...changeFields,
  },
  // The second for what is purged by its age.
  indexes: [[{ organizationId: 1, ...NEWEST_FIRST }], [{ createdAt: 1 }]],
});

import { NEWEST_FIRST, type IndexDeclaration } from '@invoicing/mongo';

/** The indexes that lists are read from in their order: of an organisation, and of one of its profiles. */
export const newestIndexes = (equal: Record<string, 1>): IndexDeclaration[] => [
  [{ organizationId: 1, ...equal, ...NEWEST_FIRST }],
  [{ organizationId: 1, profileId: 1, ...equal, ...NEWEST_FIRST }],
];

/** What a list shows of a document. */
export const SUMMARY = [
  'number',
  'kind',
  'customerId',
  'publicToken',
  'issueDate',
  'totals.inclCents',
  'createdAt',
  'credited.invoiceId',
  'prepayment',
] as const;

/** Narrows a filter to one profile when one is given. */
export const ofProfile = <F extends object>(filter: F, profileId: string | undefined): F & { profileId?: string } => ({
  ...filter,
  ...(profileId !== undefined && { profileId }),
});

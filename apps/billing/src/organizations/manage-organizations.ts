import { allValid, AppError, notFoundError, requireValid } from '@invoicing/errors';
import { DEFAULT_NUMBER_FORMAT } from '../numbering/number-format';
import { businessDate } from '../invoices/business-date';
import {
  DEFAULT_ACCENT_COLOR,
  documentRulesOf,
  EMPTY_DETAILS,
  issuePolicyOf,
  limitsOf,
  type DocumentRules,
  type IssuePolicy,
  type Limits,
  type Organization,
  type OrganizationDetails,
} from './organization';
import { checkIssuePolicy, checkLimits, readDetails } from './organization-input';
import type { Ports } from '../billing-ports';
import { actorOfCall, type Call } from '../invoices/invoice-ports';

type GivenDetails = Partial<Record<keyof OrganizationDetails, string | undefined>>;
export type OrganizationPorts = Pick<Ports, 'organizations' | 'logos' | 'newId' | 'now'>;

/** Creates an organisation with one default profile, in one write. Its id is the operation's. */
export async function createOrganization(
  { organizations, newId, now }: OrganizationPorts,
  input: { details: GivenDetails } & Pick<Organization, 'plan' | 'mode'>,
  call: Call,
): Promise<Organization> {
  const details = requireValid(readDetails({ ...input.details, name: input.details.name ?? '' }));
  const full = { ...EMPTY_DETAILS, ...details };
  const organization: Organization = {
    _id: call.operationId ?? newId(),
    details: full,
    plan: input.plan,
    billingStatus: 'active',
    mode: input.mode,
    profiles: [
      {
        id: newId(),
        name: full.name,
        numberFormat: DEFAULT_NUMBER_FORMAT,
        accentColor: DEFAULT_ACCENT_COLOR,
        footer: '',
        logoId: null,
        revision: 1,
      },
    ],
    createdAt: now(),
  };
  const by = actorOfCall(call);
  return organizations.insert(organization, {
    by,
    action: 'organization.created',
    subject: asSubject(organization),
    fields: [],
  });
}

type GivenLimits = { [K in keyof Limits]?: number | undefined };
type GivenPolicy = { [K in keyof IssuePolicy]?: IssuePolicy[K] | undefined };

type GivenRules = { [K in keyof DocumentRules]?: DocumentRules[K] | undefined };

/** What changes of an organisation, and the revision that the caller has seen. */
export interface OrganizationUpdate extends Partial<Pick<Organization, 'plan' | 'billingStatus'>> {
  readonly details: GivenDetails;
  readonly issuePolicy?: GivenPolicy;
  readonly limits?: GivenLimits;
  readonly documentRules?: GivenRules | undefined;
  readonly revision?: number | undefined;
}

/** Changes only what is given. Throws `not_found`, `validation` or `revision_conflict`. */
export const updateOrganization = (
  ports: OrganizationPorts,
  id: string,
  { revision, ...update }: OrganizationUpdate,
  call: Call,
): Promise<Organization> =>
  retryOnConflict(async () => {
    const { organizations, now } = ports;
    const before = await getOrganization(ports, id);
    await organizations.assertSeen(before, before.revision, revision);
    const { details, issuePolicy, limits, documentRules, ...others } = update;
    const today = businessDate(now(id), before.details.timezone);
    const checked = requireValid(
      allValid({
        details: readDetails(details),
        policy: checkIssuePolicy(issuePolicy ?? {}, today),
        limits: checkLimits(limits ?? {}),
      }),
    );
    const after = {
      ...others,
      details: { ...before.details, ...checked.details },
      issuePolicy: { ...issuePolicyOf(before), ...checked.policy },
      limits: { ...limitsOf(before), ...checked.limits },
      documentRules: changedRules(documentRulesOf(before), documentRules),
    };
    const { plan, billingStatus } = before;
    const flat = ({ details: own, issuePolicy: policy, limits: most, documentRules: rules }: typeof after) => ({
      ...{ ...own, ...policy, ...most, ...rules },
    });
    const kept = { details: before.details, issuePolicy: issuePolicyOf(before), limits: limitsOf(before) };
    const seen = { plan, billingStatus, ...flat({ ...kept, documentRules: documentRulesOf(before) }) };
    const fields = differing(seen, { ...others, ...flat(after) });
    if (fields.length === 0) return before;
    const change = {
      by: actorOfCall(call),
      action: 'organization.updated',
      subject: asSubject(before),
      fields,
    } as const;
    return organizations.change(before, change, after);
  });

const changedRules = (before: DocumentRules, { eInvoice, strict }: GivenRules = {}): DocumentRules => ({
  eInvoice: eInvoice ?? before.eInvoice,
  strict: strict ?? before.strict,
});

/** Names of the fields that are given and not as they were. */
export const differing = <T extends object>(before: T, after: Partial<T>): (keyof T & string)[] =>
  (Object.keys(after) as (keyof T & string)[]).filter((field) => after[field] !== before[field]);

const asSubject = ({ _id, details }: Organization) => ({ kind: 'organization', id: _id, label: details.name }) as const;

// Each lost round means that something else of the organisation was changed meanwhile.
const MAX_ROUNDS = 10;

/** Decides again while something else was changed between reading and writing (null). */
export async function retryOnConflict<T>(decide: () => Promise<T | null>): Promise<T> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const changed = await decide();
    if (changed) return changed;
  }
  throw new AppError('conflict', 'conflict', 'the organisation is being changed');
}

/** Throws `not_found`. */
export async function getOrganization(
  { organizations }: Pick<Ports, 'organizations'>,
  id: string,
): Promise<Organization> {
  const organization = await organizations.find(id);
  if (!organization) throw notFoundError('the organisation');
  return organization;
}

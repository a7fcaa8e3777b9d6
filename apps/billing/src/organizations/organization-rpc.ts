import {
  BillingStatus,
  EInvoiceRules,
  Mode,
  OrganizationsService,
  Plan,
  type IssuePolicy as ProtoIssuePolicy,
  type Organization as ProtoOrganization,
} from '@invoicing/contracts/invoicing/billing/v1/organizations';
import { AppError } from '@invoicing/errors';
import { bindService, listLimit, type BoundService, type Principal } from '@invoicing/rpc';
import { registerNumberWarnings } from '@invoicing/rules';
import {
  CURRENCY,
  documentRulesOf,
  issuePolicyOf,
  limitsOf,
  type DocumentRules,
  type IssuePolicy,
  type Organization,
  type OrganizationDetails,
} from './organization';
import { createOrganization, getOrganization, updateOrganization } from './manage-organizations';
import { profileHandlers, profileMessage, yearOf } from './profile-rpc';
import type { Ports } from '../billing-ports';
import type { SelfSignUp } from '../config';

const LIST = { usual: 1_000, most: 1_000 };
const PLANS = { standard: Plan.STANDARD, free: Plan.FREE } as const;
const STATUSES = { active: BillingStatus.ACTIVE, arrears: BillingStatus.ARREARS } as const;
const E_INVOICE_RULES = { peppol: EInvoiceRules.PEPPOL, national: EInvoiceRules.NATIONAL } as const;
const MODES = { live: Mode.LIVE, test: Mode.TEST } as const;

/** What creating organisations needs, too. */
export interface SignUpPorts {
  /** An operator's switch, `SELF_SIGN_UP`. */
  readonly selfSignUp: SelfSignUp;
}

export function organizationsService(ports: Ports & SignUpPorts): BoundService {
  const toOrganization = (organization: Organization) => organizationMessage(organization, yearOf(ports, organization));
  return bindService(
    OrganizationsService,
    {
      createOrganization: async ({ details, plan, mode }, call) => {
        const asked = { plan: fromEnum(PLANS, plan) ?? 'standard', mode: fromEnum(MODES, mode) ?? 'live' } as const;
        // What people create by themselves is as the operator wants it.
        const made = call.caller === 'admin' ? asked : signedUp(ports.selfSignUp, call.principal);
        return toOrganization(await createOrganization(ports, { details: { ...details }, ...made }, call));
      },
      getOrganization: async ({ organizationId }) => toOrganization(await getOrganization(ports, organizationId)),
      listOrganizations: async ({ limit, cursor }) => {
        const { items, next } = await ports.organizations.page(listLimit(limit ?? 0, LIST), cursor);
        return { organizations: items.map(toOrganization), cursor: next };
      },
      updateOrganization: async (request, call) => {
        const { organizationId, details, plan, billingStatus, issuePolicy, limits, documentRules, revision } = request;
        const { caller } = call;
        const changedPlan = fromEnum(PLANS, plan);
        const changedStatus = fromEnum(STATUSES, billingStatus);
        if (caller !== 'admin' && (changedPlan || changedStatus || limits))
          throw new AppError('forbidden', 'forbidden', 'only an operator changes the plan and the limits');
        return toOrganization(
          await updateOrganization(
            ports,
            organizationId,
            {
              details: { ...details },
              ...(changedPlan && { plan: changedPlan }),
              ...(changedStatus && { billingStatus: changedStatus }),
              ...(issuePolicy && { issuePolicy: fromIssuePolicy(issuePolicy) }),
              ...(limits && { limits }),
              documentRules: documentRules && {
                eInvoice: fromEnum(E_INVOICE_RULES, documentRules.eInvoice),
                strict: documentRules.strict,
              },
              revision,
            },
            call,
          ),
        );
      },
      ...profileHandlers(ports),
    },
    {
      createOrganization: { callers: ['application', 'admin'] },
      getOrganization: {
        callers: ['gateway', 'checkout', 'notification', 'application', 'admin'],
        action: 'settings.read',
      },
      listOrganizations: { callers: ['admin'] },
      updateOrganization: { callers: ['application', 'admin'], action: 'settings.write' },
      createProfile: { callers: ['application', 'admin'], action: 'settings.write' },
      getProfile: { callers: ['application', 'admin'], action: 'settings.read' },
      updateProfile: { callers: ['application', 'admin'], action: 'settings.write' },
      previewProfile: { callers: ['application', 'admin'], action: 'settings.write' },
    },
  );
}

function signedUp(selfSignUp: SelfSignUp, { userId }: Principal): Pick<Organization, 'plan' | 'mode'> {
  if (selfSignUp === undefined || userId === undefined)
    throw new AppError('blocked', 'sign_up_closed', 'only an operator creates organisations here');
  return { plan: 'standard', mode: selfSignUp };
}

/** Our word for a value of a proto enum; undefined when it is unspecified. */
const fromEnum = <K extends string>(words: Readonly<Record<K, string>>, value: string): K | undefined =>
  (Object.keys(words) as K[]).find((word) => words[word] === value);

const organizationMessage = (organization: Organization, year: number): ProtoOrganization => ({
  id: organization._id,
  details: toDetails(organization.details),
  plan: PLANS[organization.plan],
  billingStatus: STATUSES[organization.billingStatus],
  mode: MODES[organization.mode],
  currency: CURRENCY,
  issuePolicy: toIssuePolicy(issuePolicyOf(organization)),
  limits: limitsOf(organization),
  documentRules: toDocumentRules(documentRulesOf(organization)),
  profiles: organization.profiles.map((each) => profileMessage(organization._id, each, year)),
  createdAt: organization.createdAt,
  revision: organization.revision ?? 0,
  warnings: registerNumberWarnings(organization.details),
});

const toIssuePolicy = ({ closedUntil, ...window }: IssuePolicy) => ({ ...window, closedUntil: closedUntil ?? '' });

const toDocumentRules = ({ eInvoice, strict }: DocumentRules) => ({ eInvoice: E_INVOICE_RULES[eInvoice], strict });

const fromIssuePolicy = ({ closedUntil, ...window }: ProtoIssuePolicy) => ({
  ...window,
  ...(closedUntil !== undefined && { closedUntil: closedUntil === '' ? null : closedUntil }),
});

/** Unknown fields are absent on the wire. */
const toDetails = (details: OrganizationDetails): Partial<OrganizationDetails> =>
  Object.fromEntries(Object.entries(details).filter(([, value]) => value !== ''));

import { palettes } from '@invoicing/design';

/** What the platform knows of a seller. Empty strings where unknown. */
export interface OrganizationDetails {
  readonly name: string;
  readonly countryCode: string;
  readonly kvkNumber: string;
  readonly btwId: string;
  readonly iban: string;
  readonly bic: string;
  readonly email: string;
  /** Absent on organisations from before it was kept. */
  readonly phone?: string;
  readonly addressLine1: string;
  readonly postalCode: string;
  readonly city: string;
  readonly timezone: string;
  /** The provision that exempt lines name. */
  readonly vatExemptionReason: string;
}

/** How the numbers of a profile look from a year on. */
export interface YearFormat {
  readonly fromYear: number;
  readonly numberFormat: string;
}

/** A year of which the invoices do not begin at number 1. */
export interface SeriesStart {
  readonly year: number;
  readonly startNumber: number;
}

/** House style and number series. */
export interface Profile {
  readonly id: string;
  readonly name: string;
  /** Of the years before the first of the later formats. */
  readonly numberFormat: string;
  /** Earliest first. */
  readonly laterFormats?: readonly YearFormat[] | undefined;
  /** Earliest first. */
  readonly starts?: readonly SeriesStart[] | undefined;
  /** The organisation's, after the last change of this profile. */
  readonly revision?: number | undefined;
  /** "#rrggbb". */
  readonly accentColor: string;
  readonly footer: string;
  /** SHA-256 (hex) of the logo's bytes; they are kept once, by this id. */
  readonly logoId: string | null;
}

/** When documents of an organisation may be dated. Absent on organisations from before it was kept: the default. */
export interface IssuePolicy {
  /** Nothing may be issued that is dated on this day or before; null: no period is closed. */
  readonly closedUntil: string | null;
  /** How far from today a caller may date what is sent. */
  readonly daysBack: number;
  readonly daysAhead: number;
}

const DEFAULT_ISSUE_POLICY: IssuePolicy = { closedUntil: null, daysBack: 365, daysAhead: 60 };

/** By which rules documents are made. Absent on organisations that nobody said anything of: the default. */
export interface DocumentRules {
  /** Peppol BIS Billing 3, or the countries' own: NLCIUS between Dutch parties, XRechnung to German buyers. */
  readonly eInvoice: 'peppol' | 'national';
  /** Refuses what it otherwise warns about: VAT treatments that the law would not accept. */
  readonly strict: boolean;
}

const DEFAULT_DOCUMENT_RULES: DocumentRules = { eInvoice: 'peppol', strict: false };

/** What an organisation may do before an operator has said more. Absent on organisations that nobody said anything of: the default. */
export interface Limits {
  readonly mailQuotaPerDay: number;
  /** How many periods back a new subscription may start and still be invoiced for them. */
  readonly catchUpPeriods: number;
}

const DEFAULT_LIMITS: Limits = { mailQuotaPerDay: 1_000, catchUpPeriods: 1 };

/** A seller with its profiles, the first of which is the default: one document, so one write. */
export interface Organization {
  readonly _id: string;
  readonly details: OrganizationDetails;
  readonly plan: 'standard' | 'free';
  readonly billingStatus: 'active' | 'arrears';
  readonly mode: 'live' | 'test';
  readonly profiles: readonly Profile[];
  readonly issuePolicy?: IssuePolicy;
  readonly limits?: Limits;
  /** Series whose format and start are fixed: a number of them is given, or is being given. Those of a version before are not among them. */
  readonly openedSeries?: readonly string[];
  readonly documentRules?: DocumentRules;
  readonly createdAt: Date;
  /** Grows by one with every change. */
  readonly revision?: number | undefined;
}

/** The organisation's own policy of issue dates, or the default. */
export const issuePolicyOf = ({ issuePolicy }: Pick<Organization, 'issuePolicy'>): IssuePolicy =>
  issuePolicy ?? DEFAULT_ISSUE_POLICY;

export const limitsOf = ({ limits }: Pick<Organization, 'limits'>): Limits => limits ?? DEFAULT_LIMITS;

export const documentRulesOf = ({ documentRules }: Pick<Organization, 'documentRules'>): DocumentRules =>
  documentRules ?? DEFAULT_DOCUMENT_RULES;

export const CURRENCY = 'EUR';
const DEFAULT_COUNTRY = 'NL';
export const DEFAULT_TIMEZONE = 'Europe/Amsterdam';
export const DEFAULT_ACCENT_COLOR = palettes.light.accent;
export const DEFAULT_VAT_EXEMPTION_REASON = 'artikel 11 Wet op de omzetbelasting 1968';

export const EMPTY_DETAILS: OrganizationDetails = {
  name: '',
  countryCode: DEFAULT_COUNTRY,
  kvkNumber: '',
  btwId: '',
  iban: '',
  bic: '',
  email: '',
  addressLine1: '',
  postalCode: '',
  city: '',
  timezone: DEFAULT_TIMEZONE,
  vatExemptionReason: DEFAULT_VAT_EXEMPTION_REASON,
};

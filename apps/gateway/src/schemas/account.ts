import { Type } from '@sinclair/typebox';
import { organizationScopes, platformScopes } from '../keys/scopes';
import { object, oneOf, optionalLine, orNull, timestamp, uuid } from './fields';

export const PLANS = ['standard', 'free'] as const;
export const BILLING_STATUSES = ['active', 'arrears'] as const;
const scopes = [...organizationScopes, ...platformScopes];

const organization = object(
  'Organization',
  {
    id: uuid('organization', 'Id of the organisation.'),
    name: Type.String({ description: 'Legal name.', examples: ['Bakkerij De Zon'] }),
    countryCode: Type.String({ description: 'ISO 3166-1 alpha-2.', examples: ['NL'] }),
    currency: Type.String({ description: 'ISO 4217.', examples: ['EUR'] }),
    timezone: Type.String({ description: 'IANA zone of business dates.', examples: ['Europe/Amsterdam'] }),
    plan: oneOf(PLANS, '`free` has no API access.', 'standard'),
    billingStatus: oneOf(BILLING_STATUSES, '`arrears` blocks sending.', 'active'),
  },
  'The organisation of the key.',
);

const profile = object(
  'Profile',
  { id: uuid('profile', 'Id of the profile.'), name: Type.String({ description: 'Its name.', examples: ['Winkel'] }) },
  'The one profile that the key is restricted to.',
);

const key = object(
  'Key',
  {
    id: uuid('key', 'Id of the key.'),
    prefix: Type.String({ description: 'Visible start of the key.', examples: ['ik_live_2YwKxq'] }),
    scopes: Type.Array(oneOf(scopes, 'A scope.', 'invoices:read'), { description: 'What the key may do.' }),
    mode: oneOf(['live', 'test'], 'Mode of the organisation.', 'live'),
    expiresAt: orNull(timestamp('When the key stops working; null: never.', '2027-03-01T00:00:00.000Z')),
  },
  'The key itself.',
);

export const me = object(
  'Me',
  {
    organization,
    profile: Type.Unsafe<{ id: string; name: string } | null>({
      anyOf: [profile, { type: 'null' }],
      description: 'Null when the key is not restricted to a profile.',
    }),
    key,
  },
  'Who the key speaks for.',
);

export const creditsInput = object(
  'CreditsInput',
  {
    orgId: uuid('organization', 'The organisation that gets the credits.'),
    credits: Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'How many letters.', examples: [100] }),
    reason: Type.Optional(optionalLine(500, 'Why, for the ledger.', 'top-up 2026-03')),
  },
  'A grant of mail credits.',
);

export const creditGrant = object(
  'CreditGrant',
  {
    id: uuid('grant', 'Id of the grant.'),
    orgId: uuid('organization', 'The organisation that got them.'),
    credits: Type.Integer({ description: 'How many letters.', examples: [100] }),
    balance: Type.Integer({ description: 'Balance after the grant.', examples: [140] }),
    reason: orNull(Type.String({ description: 'Why.', examples: ['top-up 2026-03'] })),
    createdAt: timestamp('When it was granted.'),
  },
  'A grant of mail credits.',
);

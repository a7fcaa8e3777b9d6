/** Every scope that an organisation's key can carry. */
export const organizationScopes = [
  'customers:read',
  'customers:write',
  'products:read',
  'products:write',
  'invoices:read',
  'invoices:write',
  'subscriptions:read',
  'subscriptions:write',
  'checkouts:read',
  'checkouts:write',
  'sandbox:read',
  'sandbox:write',
] as const;

/** What platform billing's key carries, and no other. */
export const platformScopes = ['credits:write'] as const;

export type Scope = (typeof organizationScopes)[number] | (typeof platformScopes)[number];

export const isOrganizationScope = (text: string): text is (typeof organizationScopes)[number] =>
  (organizationScopes as readonly string[]).includes(text);

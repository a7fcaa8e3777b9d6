/** Every scope that an organisation's API key can carry. */
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

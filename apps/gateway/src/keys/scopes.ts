import { organizationScopes } from '@invoicing/rules';

export { organizationScopes };

/** What platform billing's key carries, and no other. */
export const platformScopes = ['credits:write'] as const;

export type Scope = (typeof organizationScopes)[number] | (typeof platformScopes)[number];

export const isOrganizationScope = (text: string): text is (typeof organizationScopes)[number] =>
  (organizationScopes as readonly string[]).includes(text);

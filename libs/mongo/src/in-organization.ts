/** The part of a filter that names the organisation; nothing when operators look at all of them. */
export const inOrganization = (organizationId: string | undefined): { organizationId?: string } =>
  organizationId === undefined ? {} : { organizationId };

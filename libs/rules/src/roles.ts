/** What a person is in an organisation. */
export const roles = ['owner', 'bookkeeper', 'sales', 'developer', 'viewer'] as const;
/** What a person is in an organisation. */
export type Role = (typeof roles)[number];

const office = ['owner', 'bookkeeper'] as const;
const trade = ['owner', 'bookkeeper', 'sales'] as const;
const technicians = ['owner', 'developer'] as const;

/** The one table of what people may do in their organisation: action → roles. Services check it, the application shows it. */
export const rolesByAction = {
  'invoices.read': roles,
  // Drafts.
  'invoices.write': trade,
  'invoices.issue': trade,
  'invoices.credit': office,
  'payments.record': office,
  'refunds.create': office,
  'banking.write': office,
  'customers.read': roles,
  'customers.write': trade,
  'products.read': roles,
  'products.write': trade,
  'subscriptions.read': roles,
  'subscriptions.write': trade,
  'checkouts.read': roles,
  'checkouts.write': trade,
  // Mails and letters.
  'messages.read': roles,
  'credits.read': roles,
  'history.read': office,
  'exports.create': office,
  'periods.close': office,
  'settings.read': roles,
  'settings.write': ['owner'],
  'providers.connect': ['owner'],
  'people.manage': ['owner'],
  'keys.manage': technicians,
  'webhooks.manage': technicians,
} as const satisfies Record<string, readonly Role[]>;

/** What people can do, as the roles name it. */
export type Action = keyof typeof rolesByAction;

export const actions = Object.keys(rolesByAction) as Action[];

/** Whether a text is a role. */
export const isRole = (name: unknown): name is Role => (roles as readonly unknown[]).includes(name);

/** Whether a role allows an action. */
export const mayDo = (role: Role, action: Action): boolean => (rolesByAction[action] as readonly Role[]).includes(role);

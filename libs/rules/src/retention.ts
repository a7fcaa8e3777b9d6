const DAY_MS = 86_400_000;

/** How long one kind of data is kept. */
interface Retention {
  /** `<service>.<collection>`, or what else holds it. */
  readonly data: string;
  /** Which part of it; absent: all. */
  readonly what?: string;
  /** Days, which the code reads from here; or in words, where nothing is purged by age. */
  readonly kept: number | string;
  /** What the days are counted from. */
  readonly from?: string;
  /** Why so long, or how it ends otherwise. */
  readonly because: string;
}

/**
 * What is kept how long: the one table, which docs/retention.md shows. What has a number of days is purged: by the service that owns it
 * (`startPurge`), by the store's own index, or by the broker.
 */
export const retention = {
  neverPaidCheckouts: {
    data: 'checkout.sessions',
    what: 'checkouts that were never paid',
    kept: 30,
    from: 'their end',
    because: 'a payer may come back, and a bank may report late; nothing was sold',
  },
  payerDetails: {
    data: 'checkout.sessions',
    what: 'payer’s details in paid ones',
    kept: 180,
    from: 'the payment',
    because: 'the invoice has them; here they serve questions about the payment',
  },
  paidSessions: {
    data: 'checkout.sessions',
    what: 'paid ones, and those of invoices',
    kept: 'as long as their invoice',
    because: 'refunds and chargebacks name the payment',
  },
  providerAccounts: {
    data: 'checkout.provider_accounts',
    kept: 'as long as the organisation',
    because: 'payments that run on one can be refunded on it',
  },
  sandboxPayments: {
    data: 'checkout.sandbox_payments',
    kept: 'as long as the organisation',
    because: 'play money: amounts and addresses of ours, nothing about a payer',
  },
  mails: {
    data: 'notification.mails',
    what: 'sent and failed ones',
    kept: 365,
    from: 'the day they were asked for',
    because: 'proof that a document was sent, for the length of a dispute; the message itself is not stored',
  },
  letters: {
    data: 'notification.letters',
    what: 'sent and failed ones',
    kept: 365,
    from: 'the day they were asked for',
    because: 'the same; it names the document only',
  },
  peppolDeliveries: {
    data: 'notification.peppol_deliveries',
    what: 'those that are over',
    kept: 2_557,
    from: 'the day they were asked for',
    because: 'the network’s acknowledgement proves that a document was sent as the law asks: seven years, as the books',
  },
  peppolRecipients: {
    data: 'notification.recipients',
    kept: 90,
    from: 'the last look',
    because: 'what the network said of a company’s number; asked again after a day',
  },
  accessPoints: {
    data: 'notification.access_points',
    kept: 'as long as the organisation',
    because: 'deliveries that run on one are followed on it; its key is sealed',
  },
  mailFiles: {
    data: 'DATA_DIR/mail, DATA_DIR/post, DATA_DIR/peppol',
    what: 'messages, letters and e-invoices that did not leave the machine',
    kept: 30,
    from: 'the day they were written',
    because: 'to be looked at while one tries things out',
  },
  mailDays: {
    data: 'notification.mail_days',
    kept: 8,
    from: 'the day that it counts',
    because: 'a quota of one day; a number, no person',
  },
  deliveries: {
    data: 'notification.deliveries',
    what: 'delivered, failed and held ones, with their bodies',
    kept: 90,
    from: 'the event',
    because: 'as long as a receiver may ask for what it missed',
  },
  endpoints: {
    data: 'notification.endpoints',
    kept: 'as long as the organisation',
    because: 'addresses of machines and sealed secrets',
  },
  idempotentAnswers: {
    data: 'gateway.idempotency',
    what: 'answers that are stored for repeats',
    kept: 2,
    from: 'the answer',
    because: 'promised: at least 24 hours',
  },
  unfinishedRequests: {
    data: 'gateway.idempotency',
    what: 'requests that never came to an answer',
    kept: 30,
    from: 'the request',
    because: 'whoever repeats one must not do it twice; it holds no body',
  },
  keys: {
    data: 'gateway.keys',
    kept: 'as long as the organisation',
    because: 'hashes; what was done with a key names it',
  },
  requestLog: {
    data: 'gateway.requests',
    kept: 7,
    from: 'the request',
    because:
      'method, path, status and duration, by which an organisation finds what its programs asked; ids, never bodies',
  },
  rate: { data: 'gateway.rate', kept: 'as long as its key', because: 'the times of a key’s last minute' },
  heartbeats: {
    data: 'gateway.heartbeats',
    kept: 'an hour',
    because: 'signs of life of a process',
  },
  settings: { data: 'gateway.settings', kept: 'always', because: 'whether maintenance is on' },
  customers: {
    data: 'catalog.customers',
    kept: 'until `customer erase`, or as long as the organisation',
    because: 'the seller’s to decide; the record stays when invoices refer to it (debtor accounts: AWR art. 52)',
  },
  products: {
    data: 'catalog.products',
    kept: 'as long as the organisation',
    because: 'nothing about a person',
  },
  history: {
    data: 'history of each service',
    kept: 2_557,
    from: 'the change',
    because: 'who did what belongs to the books: seven years',
  },
  organizations: {
    data: 'billing.organizations',
    kept: 'as long as the organisation',
    because: 'the seller’s own account',
  },
  testEvents: {
    data: 'notification.test_events',
    kept: 1,
    from: 'the event',
    because: 'who follows a test organisation from a laptop reads what was missed',
  },
  clocks: {
    data: 'billing.clocks',
    kept: 'until it is cleared',
    because: 'how far a test organisation is ahead of real time; nothing about a person',
  },
  logos: { data: 'billing.logos', kept: 'as long as the organisation', because: 'documents show them' },
  openDrafts: {
    data: 'billing.drafts',
    what: 'open ones',
    kept: 'until they are issued or deleted',
    because: 'the seller’s work',
  },
  closedDrafts: {
    data: 'billing.drafts',
    what: 'issued and deleted ones',
    kept: 90,
    from: 'the day they were made',
    because: 'a late repeat of the request that made one must meet it',
  },
  invoices: {
    data: 'billing.invoices',
    kept: 'always',
    because:
      'the law asks for seven years (AWR art. 52; ten for immovable property), and a series proves itself as a whole only: a hash chain without a link proves nothing',
  },
  accountEntries: {
    data: 'billing.account_entries',
    kept: 'as long as their invoice',
    because: 'what became of an invoice’s amount: books, too',
  },
  bankLines: {
    data: 'billing.bank_lines',
    kept: 'as long as the organisation',
    because: 'statements of the bank account are books: seven years at least (AWR art. 52); who paid is what they say',
  },
  bankStatements: {
    data: 'billing.bank_statements',
    kept: 'as long as the organisation',
    because: 'balances, by which a missing statement is found',
  },
  reminders: {
    data: 'billing.reminders',
    kept: 'as long as their invoice',
    because: 'that a debtor was reminded, and given fourteen days, is to be proven as long as the debt can be claimed',
  },
  reminderPlans: {
    data: 'billing.reminder_plans',
    kept: 'as long as the organisation',
    because: 'how a seller reminds; nothing about a person',
  },
  reminderExceptions: {
    data: 'billing.reminder_exceptions',
    kept: 'until they are taken back',
    because: 'whom a seller does not remind',
  },
  sealedSheets: {
    data: 'billing.sealed_sheets',
    kept: 'as long as their invoice',
    because: 'the document as it was sent',
  },
  closedPeriods: {
    data: 'billing.closed_periods',
    kept: 'as long as the organisation',
    because: 'which books are closed, and the checksums of their files',
  },
  formerPayments: {
    data: 'billing.payments',
    kept: 'as long as their invoice',
    because: 'of the version before; entered into the accounts',
  },
  creditLedger: {
    data: 'billing.credit_ledger',
    kept: 'as long as the organisation',
    because: 'mail credits are bought: books, without a person',
  },
  runningSubscriptions: {
    data: 'billing.subscriptions',
    what: 'active and paused ones',
    kept: 'until they end',
    because: 'they are at work',
  },
  endedSubscriptions: {
    data: 'billing.subscriptions',
    what: 'ended ones',
    kept: 730,
    from: 'the period that would have been next',
    because: 'what a customer was charged by, for questions about the last year’s invoices',
  },
  waitingInvoices: {
    data: 'billing.subscription_waiting_invoices',
    kept: 'until the arrears end',
    because: 'work to be done',
  },
  users: {
    data: 'application.users',
    kept: 'as long as an organisation has the person',
    because: 'the seller’s own people; what they did names them',
  },
  teams: {
    data: 'application.teams',
    kept: 'as long as the organisation',
    because: 'who may do what in it; `user remove` takes somebody out',
  },
  appSessions: {
    data: 'application.sessions',
    kept: 30,
    from: 'the sign-in',
    because: 'as long as somebody may stay signed in',
  },
  passkeys: {
    data: 'application.passkeys',
    kept: 'until its owner takes it away, or as long as the user',
    because: 'the public half of a key that a device holds',
  },
  openidIdentities: {
    data: 'application.openid_identities',
    kept: 'as long as the user',
    because: 'which account of a company’s own sign-in is whose; a hash',
  },
  challenges: {
    data: 'application.challenges',
    kept: 'ten minutes',
    because: 'until a browser has proven what it was asked to',
  },
  signIns: {
    data: 'application.sign_ins',
    kept: 'ten minutes',
    because: 'until the code has come; a hash, and whose it is',
  },
  signInCounts: {
    data: 'application.sign_in_counts',
    kept: 'fifteen minutes',
    because: 'limits of sign-ins; hashes',
  },
  migrations: {
    data: 'migrations of each service',
    kept: 'always',
    because: 'what has been run',
  },
  events: {
    data: 'the broker’s stream EVENTS',
    kept: 7,
    from: 'the event',
    because: 'transport; the store keeps what was not settled',
  },
  logs: {
    data: 'DATA_DIR/logs',
    what: 'under `npm start`',
    kept: 30,
    from: 'the line',
    because: 'ids, never names, addresses or bodies; in production your collector decides: the same is enough',
  },
} as const satisfies Record<string, Retention>;

type Rules = typeof retention;

/** A rule that names a number of days. */
export type PurgedByAge = { [K in keyof Rules]: Rules[K]['kept'] extends number ? K : never }[keyof Rules];

/** How long it is kept, in milliseconds. */
export const keptMs = (rule: PurgedByAge): number => retention[rule].kept * DAY_MS;

/** What is older than this goes. */
export const keptSince = (rule: PurgedByAge, now: Date): Date => new Date(now.getTime() - keptMs(rule));

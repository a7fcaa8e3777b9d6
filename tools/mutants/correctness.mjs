// What must hold under crashes and rivals, taken out in turn: idempotency, numbering, money, events, leases, tenants. The same shape as
// security.mjs. Most are caught by the simulations, which run the real code on a store that can crash.
const billing = 'apps/billing/src';
const checkout = 'apps/checkout/src/sessions';
const notification = 'apps/notification/src';
const gateway = 'apps/gateway/src';
const runOnce = { file: `${gateway}/idempotency/run-once.ts`, spec: `${gateway}/idempotency/run-once.spec.ts` };
const series = { file: `${billing}/numbering/number-series.ts`, spec: `${billing}/numbering/number-series.spec.ts` };
const totals = { file: `${billing}/invoices/totals.ts`, spec: `${billing}/invoices/totals.spec.ts` };
const account = `${billing}/account/account-simulation.spec.ts`;
const openAmount = { file: `${billing}/account/open-amount.ts`, spec: `${billing}/account/open-amount.spec.ts` };
const credits = {
  file: `${billing}/mail-credits/mail-credits.ts`,
  spec: `${billing}/mail-credits/mail-credits.spec.ts`,
};
const sessions = `${checkout}/session-simulation.spec.ts`;
const runs = {
  file: `${billing}/subscriptions/run-subscriptions.ts`,
  spec: `${billing}/subscriptions/run-subscriptions.spec.ts`,
};
const events = 'libs/events/src/events.int.spec.ts';

export default [
  // Idempotency at the gateway.
  {
    name: 'the fingerprint of a repeat is not looked at',
    ...runOnce,
    replace: 'if (existing.fingerprint !== fingerprint)',
    with: 'if (existing.fingerprint === undefined)',
  },
  {
    name: 'what is done runs again',
    ...runOnce,
    replace: "if (existing.state === 'done') return existing;",
    with: '',
  },
  {
    name: 'a lease that is live is taken over',
    ...runOnce,
    replace: "existing.state === 'running' && existing.leaseUntil.getTime() > now()",
    with: "existing.state === 'running' && existing.leaseUntil.getTime() > Infinity",
  },
  {
    name: 'a lease never ends',
    ...runOnce,
    replace: "existing.state === 'running' && existing.leaseUntil.getTime() > now()",
    with: "existing.state === 'running' && existing.leaseUntil.getTime() > 0",
  },
  {
    name: 'an attempt that took over gets a new operation id',
    ...runOnce,
    replace: 'return { ...existing, ...taken, attempt: existing.attempt + 1 };',
    with: 'return { ...existing, ...taken, opId: claim.opId.replace(/^./, "0"), attempt: existing.attempt + 1 };',
  },
  {
    name: 'the fingerprint is no part of the operation id',
    ...runOnce,
    replace: 'uuidv5(`${_id}:${fingerprint}`, OPERATIONS)',
    with: 'uuidv5(_id, OPERATIONS)',
  },
  {
    name: 'a refusal after an unclear attempt frees the key',
    ...runOnce,
    replace: 'isRefusal(error) && attempt === 1',
    with: 'isRefusal(error) && attempt > 0',
    spec: `${gateway}/idempotency/run-once-outcomes.spec.ts`,
  },
  {
    name: 'an unclear failure frees the key',
    ...runOnce,
    replace: 'isRefusal(error) && attempt === 1',
    with: 'attempt === 1',
  },
  {
    name: 'two attempts answer differently',
    ...runOnce,
    replace:
      "return stored?.state === 'done' && stored.opId === opId ? replay(stored) : { ...answer, replayed: false };",
    with: 'return stored ? { ...answer, replayed: false } : replay(stored!);',
    spec: `${gateway}/idempotency/run-once-outcomes.spec.ts`,
  },
  {
    name: 'finishing overwrites the answer that is stored',
    file: `${gateway}/idempotency/idempotency-store.ts`,
    replace: "filter: { _id, opId, state: { $ne: 'done' as const } },",
    with: 'filter: { _id, opId },',
    spec: `${gateway}/idempotency/idempotency-store.int.spec.ts`,
  },
  {
    name: 'who finishes beside one that another attempt finished first is told that it was stored',
    file: `${gateway}/idempotency/idempotency-store.ts`,
    replace: '(await readRecord(stored)).body === body',
    with: 'body !== null',
    spec: `${gateway}/idempotency/idempotency-store.int.spec.ts`,
  },
  {
    name: 'a takeover does not compare the lease that it saw',
    file: `${gateway}/idempotency/idempotency-store.ts`,
    replace: "{ _id, opId, attempt, leaseUntil: seenLease, state: { $ne: 'done' } }",
    with: "{ _id, opId, state: { $ne: 'done' } }",
    spec: `${gateway}/idempotency/idempotency-store.int.spec.ts`,
  },

  // Gapless numbers.
  {
    name: 'the last number is kept although nobody knows what the insert came to',
    ...series,
    replace: `        tail = undefined;
        const { inserted, refused, error } = await store.insert(documents);`,
    with: `        tail = documents.at(-1)!;
        const { inserted, refused, error } = await store.insert(documents);`,
  },
  {
    name: 'the highest number is not read again after a rival was first',
    ...series,
    replace: `          tail = await readTail();
          if (tail.seq > from.seq + inserted) idle = 0;`,
    with: `          tail = { seq: from.seq + inserted + 1, hash: '' };
          if (tail.seq > from.seq + inserted) idle = 0;`,
  },
  {
    name: 'a number is left out when an id is refused',
    ...series,
    replace: `          rest = others;
          idle = 0;`,
    with: `          rest = others;
          tail = { seq: from.seq + inserted + 1, hash: from.hash };
          idle = 0;`,
  },
  {
    name: 'what was issued before is given as its own new document',
    ...series,
    replace: "if (refused === 'id') settle(first, await issuedBefore(first.id));",
    with: "if (refused === 'id') settle(first, documents[inserted]!);",
  },
  {
    name: 'an unknown outcome is answered as done',
    ...series,
    replace: 'for (const { done } of rest) for (const each of done) each.reject(error);',
    with: 'for (const entry of rest) settle(entry, entry.seal(tail ?? { seq: 1, previousHash: String(error) }));',
  },
  {
    name: 'acknowledged before it is written',
    ...series,
    replace: `        const { inserted, refused, error } = await store.insert(documents);`,
    with: `        documents.forEach((document, index) => settle(rest[index]!, document));
        const { inserted, refused, error } = await store.insert(documents);`,
  },
  {
    name: 'a series with a gap goes on being issued in',
    ...series,
    replace: 'if (count !== found.seq) {',
    with: 'if (count > found.seq) {',
    spec: `${billing}/numbering/broken-series.spec.ts`,
  },
  {
    name: 'the highest number is read from data that is not journaled',
    file: `${billing}/testing/number-simulation.ts`,
    replace: 'tail: (series) => reach(store.tail(series)),',
    with: 'tail: (series) => reach(store.tail(series, { durableOnly: false })),',
    spec: `${billing}/numbering/number-series.spec.ts`,
  },
  {
    name: 'the chain leaves out the predecessor',
    file: `${billing}/invoices/issued-invoice.ts`,
    replace: 'JSON.stringify([content, series, seq, number, previousHash])',
    with: 'JSON.stringify([content, series, seq, number])',
    spec: `${billing}/invoices/issued-invoice.spec.ts`,
  },

  // Amounts.
  {
    name: 'halves are rounded towards zero',
    ...totals,
    replace: 'const rounded = (2n * magnitude + d) / (2n * d);',
    with: 'const rounded = (2n * magnitude + d - 1n) / (2n * d);',
  },
  {
    name: 'VAT is cut off instead of rounded',
    ...totals,
    replace: 'const groupVat = roundedQuotient(base * BigInt(rateBps), 10_000n);',
    with: 'const groupVat = (base * BigInt(rateBps)) / 10_000n;',
  },
  {
    name: 'a total that does not fit is not refused',
    ...totals,
    replace: 'if (![excl, vat, excl + vat].every(isSafeAmount)) return undefined;',
    with: '',
  },
  {
    name: 'a discount is rounded twice',
    ...totals,
    replace: `  roundedQuotient(
    quantity.coefficient * BigInt(unitPriceCents) * BigInt(WHOLE_BPS - discountBps),
    10n ** BigInt(quantity.scale) * BigInt(WHOLE_BPS),
  );`,
    with: '  roundedQuotient(netCents(quantity, unitPriceCents) * BigInt(WHOLE_BPS - discountBps), BigInt(WHOLE_BPS));',
    spec: `${billing}/invoices/rounded-once.spec.ts`,
  },
  {
    name: 'a credit of a sum is a cent short',
    file: `${billing}/invoices/credit-amount.ts`,
    replace: 'for (const { index } of byRemainder.slice(0, missing)) shares[index]! += 1;',
    with: 'for (const { index } of byRemainder.slice(0, missing - 1)) shares[index]! += 1;',
    spec: `${billing}/invoices/credit-amount.spec.ts`,
  },
  {
    name: 'more is credited than is left of a rate',
    file: `${billing}/invoices/credit-amount.ts`,
    replace: 'const vatCents = between(left.vatCents, grossCents - left.baseCents, derived);',
    with: 'const vatCents = derived;',
    spec: `${billing}/invoices/rounded-once.spec.ts`,
  },

  // What an invoice owes.
  {
    name: 'an entry that was taken back counts',
    ...openAmount,
    replace: 'return [...byId.values()].filter(({ _id }) => !reversed.has(_id));',
    with: 'return [...byId.values()].filter(({ _id }) => !reversed.has(`${_id} `));',
  },
  {
    name: 'an entry that is told twice counts twice',
    ...openAmount,
    replace: 'return [...byId.values()].filter(',
    with: 'return [...entries].filter(',
  },
  {
    name: 'surplus is a debt below zero',
    ...openAmount,
    replace: 'openCents: Math.max(0, owed - received),',
    with: 'openCents: owed - received,',
  },
  {
    name: 'a payment before the invoice counts twice once it is told',
    ...openAmount,
    replace: 'prepayment && !isTold ? prepayment.amountCents : 0',
    with: 'prepayment ? prepayment.amountCents : 0',
  },
  {
    name: 'a decision takes no place on the account',
    file: `${billing}/account/append-entry.ts`,
    replace: 'ordinal: (account.entries.at(-1)?.ordinal ?? 0) + 1,',
    with: 'ordinal: Math.random(),',
    spec: account,
  },
  {
    name: 'a lost place is taken for won',
    file: `${billing}/account/append-entry.ts`,
    replace: 'if (await ports.accounts.insert(invoice, entry, after, dueAt)) return entry;',
    with: 'await ports.accounts.insert(invoice, entry, after, dueAt);\n    return entry;',
    spec: account,
  },
  {
    name: 'a payment that is told twice is recorded twice',
    file: `${billing}/account/record-payment.ts`,
    replace: "_id: isByHand ? id : providerEntryId('payment', provider, paymentId),",
    with: '_id: id,',
    spec: `${billing}/account/account-rpc.int.spec.ts`,
  },
  {
    name: 'an invoice is settled again by every payment after the last',
    file: `${billing}/account/record-payment.ts`,
    replace: 'settles: isFirst && wasOpen && after.openCents === 0,',
    with: 'settles: after.openCents === 0,',
    spec: account,
  },
  {
    name: 'more goes back than was received',
    file: `${billing}/account/refund-parts.ts`,
    replace: 'if (rest > available) throw tooMuch(',
    with: 'if (rest > Infinity) throw tooMuch(',
    spec: `${billing}/account/account-rpc.int.spec.ts`,
  },
  {
    name: 'a refund is asked of the provider before it is recorded that it was settled',
    file: `${billing}/account/follow-refund.ts`,
    replace: 'if (stands && !isSettled) await askProvider(',
    with: 'if (stands) await askProvider(',
    spec: account,
  },
  {
    name: 'a refund that the provider refused is left standing',
    file: `${billing}/account/follow-refund.ts`,
    replace: "if ('refused' in outcome) await reverse(ports, issued, refund, outcome.refused, operation);",
    with: "if ('refused' in outcome) return;",
    spec: account,
  },

  // Mail credits.
  {
    name: 'a grant that is asked for again is granted again',
    ...credits,
    replace: 'return made ? { made } : { id: operationId,',
    with: 'return made && made.kind !== "grant" ? { made } : { id: `${operationId}${Math.random()}`,',
  },
  {
    name: 'the balance goes below zero',
    file: `${billing}/mail-credits/credit-ledger.ts`,
    replace: 'return after.balance < 0 || after.reserved < 0 ? undefined : after;',
    with: 'return after;',
    spec: credits.spec,
  },
  {
    name: 'whoever lost a place in the ledger does not decide again',
    ...credits,
    replace: 'if (await ledger.insert(entry)) return entry;',
    with: 'await ledger.insert(entry);\n    return entry;',
    spec: `${billing}/mail-credits/lost-place.spec.ts`,
  },

  // Checkouts.
  {
    name: 'a payment over another sum pays the checkout',
    file: `${checkout}/observe-payment.ts`,
    replace: 'if (state.amountCents !== attemptCents(attempt, session) || state.currency',
    with: 'if (state.currency',
    spec: `${checkout}/observe-payment.spec.ts`,
  },
  {
    name: 'a late answer makes a pending payment open again',
    file: `${checkout}/observe-payment.ts`,
    replace: "const status = attempt.status === 'pending' ? 'pending' : state.status;",
    with: 'const { status } = state;',
    spec: `${checkout}/observe-payment.spec.ts`,
  },
  {
    name: 'fulfilment is done although another payment came meanwhile',
    file: `${checkout}/settle-session.ts`,
    replace: "attempts.some(({ status, recorded: is }) => status === 'paid' && is === false)",
    with: 'attempts.length === 0',
    spec: sessions,
  },
  {
    name: 'each try to fulfil a checkout makes another invoice',
    file: `${checkout}/fulfil-session.ts`,
    replace: "derivedId(session.id, 'invoice'),",
    with: 'derivedId(session.id, `invoice ${Math.random()}` as never),',
    spec: sessions,
  },
  {
    name: 'a session that changed meanwhile is overwritten',
    file: `${checkout}/change-session.ts`,
    replace: 'if (!(await sessions.replace(after, event))) continue;',
    with: 'await sessions.replace(after, event);',
    spec: `${checkout}/change-session.spec.ts`,
  },
  {
    name: 'what is paid expires',
    file: `${checkout}/settle-session.ts`,
    replace: "if (session.status !== 'open' || !session.expiresAt",
    with: 'if (!session.expiresAt',
    spec: `${checkout}/change-session.spec.ts`,
  },
  {
    name: 'a checkout expires while a payment is pending',
    file: `${checkout}/settle-session.ts`,
    replace: "if (session.attempts.some(({ status }) => status === 'pending')) return session;",
    with: '',
    spec: `${checkout}/change-session.spec.ts`,
  },
  {
    name: 'the form that is sent again starts a second payment',
    file: `${checkout}/begin-attempt.ts`,
    replace: ': session.attempts.find((each) => isLive(each) && isSamePayment(session, each, request));',
    with: ': undefined;',
    spec: `${checkout}/begin-attempt.spec.ts`,
  },

  // Subscriptions.
  {
    name: 'a period gets another invoice each time that it is tried',
    ...runs,
    replace: 'uuidv5(date, subscriptionId)',
    with: 'uuidv5(`${date}${Math.random()}`, subscriptionId)',
  },
  {
    name: 'the day is that of Greenwich',
    ...runs,
    replace: 'businessDate(ports.now(organizationId), timezone)',
    with: "businessDate(ports.now(organizationId), 'UTC')",
    spec: `${billing}/subscriptions/subscriptions.int.spec.ts`,
  },
  {
    name: 'a month that is too short moves all that follow',
    file: `${billing}/subscriptions/recurrence.ts`,
    replace: 'Math.min(day, lastDay)',
    with: 'day',
    spec: `${billing}/subscriptions/recurrence.spec.ts`,
  },

  // Events, deliveries, leases.
  {
    name: 'an event is acknowledged before it is handled',
    file: 'libs/events/src/consume-events.ts',
    replace: 'await inSpan(`consume ${event.type}`, SpanKind.CONSUMER, trace, () => handle(event));',
    with: 'message.ack();\n    await inSpan(`consume ${event.type}`, SpanKind.CONSUMER, trace, () => handle(event));',
    spec: events,
  },
  {
    name: 'an event is settled as soon as it is published',
    file: 'libs/events/src/outbox-relay.ts',
    replace: "update: { $set: { 'outbox.$.dueAt': dueAt } },",
    with: 'update: { $pull: { outbox: { id } } } as never,',
    spec: events,
  },
  {
    name: 'an event that nobody settled is not published again',
    file: 'libs/events/src/outbox-relay.ts',
    replace: 'published[index] ? resendMs : REFUSED_RETRY_MS',
    with: 'published[index] ? 1e12 : REFUSED_RETRY_MS',
    spec: events,
  },
  {
    name: 'an event is published without its id',
    file: 'libs/events/src/settled.ts',
    replace: "made.set('Nats-Msg-Id', entry.id);",
    with: '',
    spec: 'libs/events/src/settled.spec.ts',
  },
  {
    name: 'due work is taken without a compare and set',
    file: 'libs/mongo/src/claim-due.ts',
    replace: 'const seen = { organizationId, _id, ...where, dueAt } as QueryFilter<T>;',
    with: 'const seen = { organizationId, _id, ...where } as QueryFilter<T>;\n    void dueAt;',
    spec: 'libs/mongo/src/dialect.int.spec.ts',
  },
  {
    name: 'a change that somebody else has made meanwhile is lost',
    file: 'libs/mongo/src/recorded-change.ts',
    replace: '.findOneAndUpdate({ ...only, ...sameRevision(seen) },',
    with: '.findOneAndUpdate({ ...only, _id: seen._id } as never,',
    spec: 'libs/mongo/src/recorded-change.int.spec.ts',
  },
  {
    name: 'the id of another organisation is taken for the own document',
    file: 'libs/mongo/src/write-once.ts',
    replace: '.findOne({ ...inOrganization(organizationId), _id } as QueryFilter<T>)',
    with: '.findOne({ _id } as QueryFilter<T>)',
    spec: 'libs/mongo/src/dialect.int.spec.ts',
  },
  {
    name: 'the part of a filter that names the organisation is left out',
    file: 'libs/mongo/src/in-organization.ts',
    replace: 'organizationId === undefined ? {} : { organizationId };',
    with: 'organizationId === undefined ? {} : {};',
    spec: 'libs/mongo/src/dialect.int.spec.ts',
  },
  {
    name: 'an attempt whose lease is lost is recorded',
    file: `${notification}/webhooks/delivery-store.ts`,
    replace: "const ours = next.status === 'delivered' ? {} : { lease: lease! };",
    with: 'const ours = lease === null ? {} : {};',
    spec: `${notification}/webhooks/delivery-store.int.spec.ts`,
  },
  {
    name: 'the lease of an e-mail is never renewed',
    file: `${notification}/mail/keep-lease.ts`,
    replace: 'renew().then((isHeld) => (isHeld ? undefined : over.abort()), onError);',
    with: 'void [renew, onError];',
    spec: `${notification}/mail/keep-lease.spec.ts`,
  },
  {
    name: 'an event is done before the message that it meets is in the store',
    file: `${notification}/mail/invoice-mailer.ts`,
    replace: 'if (beginning) await beginning;',
    with: 'void beginning;',
    spec: `${notification}/mail/invoice-mailer.spec.ts`,
  },
  {
    name: 'an e-mail is marked as sent before it is',
    file: `${notification}/mail/attempt-mail.ts`,
    replace: '    await sendMail(ports, mail, AbortSignal.any([closing, lease.over]), learn);',
    with: '    await mails.markSent(mail, known);\n    await sendMail(ports, mail, AbortSignal.any([closing, lease.over]), learn);',
    spec: `${notification}/mail/mail.int.spec.ts`,
  },
  {
    name: 'an invoice has another message each time that it is mailed',
    file: `${notification}/mail/mail-store.ts`,
    replace: 'uuidv5(invoiceId, MAIL_NAMESPACE);',
    with: 'uuidv5(`${invoiceId}${Math.random()}`, MAIL_NAMESPACE);',
    spec: `${notification}/mail/mail.int.spec.ts`,
  },
  {
    name: 'the access point knows a document by another id at each try',
    file: `${notification}/peppol/storecove/storecove-access-point.ts`,
    replace: 'idempotencyGuid: id,',
    with: 'idempotencyGuid: `${id}${Math.random()}`,',
    spec: `${notification}/peppol/peppol-crash.int.spec.ts`,
  },
  {
    name: 'a repeat that the access point recognises is taken for a refusal',
    file: `${notification}/peppol/storecove/storecove-access-point.ts`,
    replace: "if (isRepeat) return '';",
    with: 'void isRepeat;',
    spec: `${notification}/peppol/peppol-crash.int.spec.ts`,
  },
  {
    name: 'a batch that fails is answered as done',
    file: 'libs/concurrency/src/batched.ts',
    replace: 'batch.forEach(({ reject }) => reject(error));',
    with: 'batch.forEach(({ resolve }) => resolve(error as never));',
    spec: 'libs/concurrency/src/batched.spec.ts',
  },

  // The checker of `npm run chaos` itself.
  ...[
    ['does not see a lost write', 'check-writes', "operation.outcome === 'acknowledged' && count === 0", 'count < 0'],
    ['does not see a second event', 'check-facts', 'if (told.get(fact) !== 1)', 'if (!told.has(fact))'],
    ['does not see a second e-invoice', 'check-facts', 'times === 1 ? []', 'times > 0 ? []'],
    ['does not see a gap', 'check-documents', 'seq !== index + 1', 'seq < index'],
    ['does not see money that did not arrive', 'check-accounts', "status === 'paid' ? 1 : 0", 'paid.length'],
  ].map(([what, file, replace, instead]) => ({
    name: `the checker ${what}`,
    file: `apps/e2e/src/nemesis/checker/${file}.ts`,
    replace,
    with: instead,
    spec: 'apps/e2e/src/nemesis/checker/check.spec.ts',
  })),
];

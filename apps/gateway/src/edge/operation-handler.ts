import { setTimeout } from 'node:timers/promises';
import { type Response } from 'express';
import { Mode, Plan, type Organization } from '@invoicing/contracts/invoicing/billing/v1/organizations';
import { AppError, type Warning } from '@invoicing/errors';
import { type CallContext, type Circuit } from '@invoicing/rpc';
import { ROOT_CONTEXT, SpanKind, extractTrace, inSpan } from '@invoicing/telemetry';
import { isTestScenario, testScenarios, type TestScenario } from '@invoicing/rules';
import { fingerprintOf } from '../idempotency/fingerprint';
import { type IdempotencyRecords } from '../idempotency/idempotency-record';
import { runOnce, type Answer } from '../idempotency/run-once';
import { type KeyRecord } from '../keys/key-store';
import { type RateAnswer, type RateLimiter } from '../rate/rate-limiter';
import { type Caller, type Operation } from '../routes/route';
import { type Services } from '../service-clients';
import { checkBody } from './check-body';
import { EdgeError, edgeErrorOf, unavailable, validation } from './edge-error';
import { type EdgeRequest } from './edge-request';
import { readJson } from './read-body';
import { sendJson } from './send';
import { compileValidator } from './validator';

export interface OperationPorts {
  readonly isInMaintenance: () => boolean | Promise<boolean>;
  readonly authenticate: (request: EdgeRequest) => Promise<KeyRecord>;
  readonly onKeyUsed: (keyId: string) => void;
  readonly rate: RateLimiter;
  /** The organisation as it is now, give or take two seconds. */
  readonly organization: (id: string) => Organization | Promise<Organization>;
  readonly services: Services;
  readonly records: IdempotencyRecords;
  /** Of the gateway's own store. */
  readonly store: Pick<Circuit, 'isOpen' | 'pass' | 'gotNoAnswer'>;
  /** Longer budgets for a slow machine; 1 in production. */
  readonly deadlineScale: number;
}

// What a request may take from its first byte to its answer; what is left when the call begins is the call's deadline. Well within the
// idempotency lease, so that an attempt is over before another may take its place. docs/idempotency-and-errors.md has the whole table.
const READ_BUDGET_MS = 2_700;
const WRITE_BUDGET_MS = 7_500;
const IDEMPOTENCY_KEY_MAX = 200;

// What is left to write down how a call ended.
const GRACE_MS = 250;
const SLOW_MS = 5_000;

/** What was asked for is made, and whoever asked is not to hear of it. */
export class CrashOnPurpose extends Error {
  constructor() {
    super('Test-Scenario: crash_after_commit');
    this.name = 'CrashOnPurpose';
  }
}

type Answered = Answer & { readonly replayed?: boolean; readonly dryRun?: boolean };

/** What goes into the body of an answer. */
interface Told {
  readonly data: unknown;
  /** Absent when there is nothing to say. */
  readonly warnings?: readonly Warning[];
  /** Of a dry run: what more there is to say. */
  readonly [foreseen: string]: unknown;
}

/** How far a request has come. */
interface Progress {
  /** Whether a service was asked to write. */
  called: boolean;
  testScenario?: TestScenario | undefined;
}

/** Runs one row of the route table. The order of the checks, as docs/idempotency-and-errors.md says it: 401, 429, 402, 403, 415/413, 400, 409, the call. */
export function operationHandler(route: Operation, ports: OperationPorts) {
  const violationsOf = route.body ? compileValidator(route.body) : undefined;

  return async (request: EdgeRequest, response: Response): Promise<void> => {
    const deadline = Date.now() + (violationsOf ? WRITE_BUDGET_MS : READ_BUDGET_MS) * ports.deadlineScale;
    if (await ports.isInMaintenance()) throw new EdgeError('unavailable', { headers: { 'retry-after': '60' } });
    if (ports.store.isOpen) await ports.store.pass();
    const progress: Progress = { called: false };
    const { status, body, replayed, dryRun } = await inTime(
      answer(request, deadline, progress),
      deadline + GRACE_MS,
      () => tooLate(progress),
    );
    if (replayed) request.edge.headers['idempotent-replayed'] = 'true';
    if (dryRun) request.edge.headers['dry-run'] = 'true';
    if (progress.testScenario === 'slow_5s') await setTimeout(SLOW_MS);
    sendJson(request, response, status, body);
  };

  async function answer(request: EdgeRequest, deadline: number, progress: Progress): Promise<Answered> {
    const { key, caller, organization } = await admit(request, route, ports);
    const testScenario = (progress.testScenario = testScenarioOf(request, organization));
    if (!violationsOf) {
      const told = await call(undefined, caller, contextOf(request, key, deadline, {})).catch(readFailed);
      return { status: 200, body: JSON.stringify(told) };
    }
    const body = await readJson(request);
    checkBody(body, caller.profileId, violationsOf);
    if (isDryRun(request)) return tryOut(body, caller, contextOf(request, key, deadline, { dryRun: true }));
    const idempotencyKey = idempotencyKeyOf(request);
    const run = async (opId: string, attempt = 1): Promise<Answer> => {
      // It was answered already that nothing was done.
      if (Date.now() >= deadline) throw unavailable(new Error('our own store answered too late to begin'));
      progress.called = true;
      const told = await call(body, caller, contextOf(request, key, deadline, { operationId: opId, testScenario }));
      if (testScenario === 'crash_after_commit' && attempt === 1) throw new CrashOnPurpose();
      return { status: 201, body: JSON.stringify(told) };
    };
    if (idempotencyKey === undefined) return run(crypto.randomUUID());
    const named = { keyId: key._id, idempotencyKey, fingerprint: fingerprintOf(route.method, route.path, body) };
    return runOnce(ports.records, named, run, isRefusal);
  }

  /** What the request would be answered; as a read, it leaves nothing behind. */
  async function tryOut(body: unknown, caller: Caller, context: CallContext): Promise<Answered> {
    const told = await call(body, caller, context).catch(readFailed);
    const examples = route.examples(body as never).map((name) => `/data/${name}`);
    return { status: 200, body: JSON.stringify({ ...told, dryRun: true, examples }), dryRun: true };
  }

  /** Until a service was called nothing can have been written: it is our own store that does not answer. */
  function tooLate({ called }: Progress): EdgeError {
    if (called) return new EdgeError('generic', { cause: new Error('no answer within the budget') });
    ports.store.gotNoAnswer();
    return unavailable(new Error('the store does not answer'));
  }

  async function call(body: unknown, caller: Caller, context: CallContext): Promise<Told> {
    const warnings: Warning[] = [];
    const warn = (more: readonly Warning[]): void => void warnings.push(...more);
    let foreseen: Readonly<Record<string, unknown>> = {};
    const foresee = (more: typeof foreseen): void => void (foreseen = more);
    const data = await inSpan(route.operationId, SpanKind.SERVER, context.trace, (trace) =>
      route.call({ body: body as never, caller, context: { ...context, trace }, warn, foresee }, ports.services),
    );
    return { data, ...(warnings.length > 0 && { warnings }), ...foreseen };
  }
}

/** Who asks, once it is certain that they may: 401, 429, 402, 403 in this order. */
export async function admit(request: EdgeRequest, row: Pick<Operation, 'scope' | 'platform'>, ports: OperationPorts) {
  const key = await ports.authenticate(request);
  const caller = callerOf(request, key);
  ports.onKeyUsed(key._id);
  countRate(request, await ports.rate.take(key._id), ports.rate.limit);
  const organization = key.platform ? undefined : await ports.organization(caller.organizationId);
  if (organization) checkPlan(organization);
  checkScope(row, key);
  return { key, caller, organization };
}

function callerOf({ edge }: EdgeRequest, key: KeyRecord): Caller {
  const organizationId = key.organizationId ?? '';
  Object.assign(edge, { keyId: key._id, organizationId });
  return { key, organizationId, profileId: key.profileId ?? undefined };
}

function checkPlan({ plan }: Organization): void {
  if (plan === Plan.FREE) throw new EdgeError('plan_limit_api');
}

function checkScope(route: Pick<Operation, 'scope' | 'platform'>, key: KeyRecord): void {
  if (route.platform !== key.platform) throw new EdgeError('forbidden');
  if (route.scope === null || key.scopes.includes(route.scope)) return;
  // RFC 6750, section 3.1.
  const missing = `Bearer realm="invoicing", error="insufficient_scope", scope="${route.scope}"`;
  throw new EdgeError('forbidden', { headers: { 'www-authenticate': missing } });
}

/** Says what is left of the key's minute; throws 429 when nothing is. */
function countRate({ edge }: EdgeRequest, { accepted, remaining, resetSeconds }: RateAnswer, limit: number): void {
  edge.headers['ratelimit-limit'] = String(limit);
  edge.headers['ratelimit-remaining'] = String(remaining);
  edge.headers['ratelimit-reset'] = String(resetSeconds);
  if (!accepted) throw new EdgeError('rate_limited', { headers: { 'retry-after': String(resetSeconds) } });
}

/** What is no operation costs its key as much as one: 404 and 405 are no way around the limit. A key that is none has no minute. */
export async function countMiss(
  request: EdgeRequest,
  { authenticate, rate }: Pick<OperationPorts, 'authenticate' | 'rate'>,
): Promise<void> {
  if (request.headers.authorization === undefined) return;
  let key: KeyRecord;
  try {
    key = await authenticate(request);
  } catch (error) {
    if (error instanceof EdgeError && error.code === 'unauthorized') return;
    throw error;
  }
  request.edge.keyId = key._id;
  countRate(request, await rate.take(key._id), rate.limit);
}

/** What `work` comes to, or the error that says that it is too late; the work itself goes on and ends unheard. */
async function inTime<T>(work: Promise<T>, until: number, late: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_resolve, reject) => {
    timer = globalThis.setTimeout(() => reject(late()), until - Date.now());
  });
  // Heard by the race; by then it may be nobody's any more.
  work.catch(() => undefined);
  return Promise.race([work, over]).finally(() => clearTimeout(timer));
}

/** A read that got no answer in time has changed nothing: whoever asked may simply ask again. */
function readFailed(error: unknown): never {
  throw error instanceof AppError && error.kind === 'unfinished' ? unavailable(error) : error;
}

/** A refusal is certain to have written nothing. */
const isRefusal = (error: unknown): boolean => edgeErrorOf(error).status < 500;

/** `Dry-Run: true` asks what would be answered. Anything else there is a slip that would create something. */
function isDryRun({ headers }: EdgeRequest): boolean {
  const given = headers['dry-run'];
  if (given === undefined) return false;
  if (given === 'true') return true;
  throw validation([{ path: '', message: 'header Dry-Run must be true, or absent' }]);
}

/** `Test-Scenario` is for what cannot cost anybody money. Throws for the scenario that ends before anything is done. */
function testScenarioOf({ headers }: EdgeRequest, organization: Organization | undefined): TestScenario | undefined {
  const given = headers['test-scenario'];
  if (given === undefined) return undefined;
  if (organization?.mode !== Mode.TEST)
    throw validation([{ path: '', message: 'header Test-Scenario is for test organisations only' }]);
  if (given === 'store_unavailable') throw unavailable(new Error('Test-Scenario: store_unavailable'));
  if (typeof given === 'string' && isTestScenario(given)) return given;
  const names = Object.keys(testScenarios).join(', ');
  throw validation([{ path: '', message: `header Test-Scenario must be one of ${names}` }]);
}

function idempotencyKeyOf({ headers, rawHeaders }: EdgeRequest): string | undefined {
  const given = headers['idempotency-key'];
  if (typeof given !== 'string') return undefined;
  // Node joins a repeated header with a comma, which would make a key that nobody sent.
  if (
    given.includes(',') &&
    rawHeaders.filter((each, at) => at % 2 === 0 && /^idempotency-key$/i.test(each)).length > 1
  )
    throw validation([{ path: '', message: 'header Idempotency-Key must be sent once' }]);
  if (given !== '' && charactersOf(given) <= IDEMPOTENCY_KEY_MAX) return given;
  throw validation([{ path: '', message: `header Idempotency-Key must have 1 to ${IDEMPOTENCY_KEY_MAX} characters` }]);
}

/** Unicode characters of a header, which Node reads byte by byte as Latin-1: mostly UTF-8 was sent. */
function charactersOf(header: string): number {
  if (header.length <= IDEMPOTENCY_KEY_MAX) return header.length;
  try {
    return [...utf8.decode(Buffer.from(header, 'latin1'))].length;
  } catch {
    // Not UTF-8: a byte is a character.
    return header.length;
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function contextOf(
  request: EdgeRequest,
  key: KeyRecord,
  deadline: number,
  run: Pick<CallContext, 'operationId' | 'dryRun' | 'testScenario'>,
): CallContext {
  const { traceparent } = request.headers;
  return {
    requestId: request.edge.requestId,
    deadline,
    ...run,
    principal: {
      service: 'gateway',
      organizationId: key.organizationId ?? undefined,
      userId: `key:${key._id}`,
      label: key.prefix,
    },
    trace: typeof traceparent === 'string' ? extractTrace({ traceparent }) : ROOT_CONTEXT,
  };
}

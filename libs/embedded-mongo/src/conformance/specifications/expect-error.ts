import { MongoBulkWriteError, MongoClientBulkWriteError, MongoError, MongoServerError, type Document } from 'mongodb';
import { assertMatches, Mismatch, type Lookup } from './match';
import { bulkResult, clientBulkResult } from './operations';
import { type ExpectedError } from './test-file';

/** Throws when an operation's failure is not the one that the test expects. */
export function assertError(expected: ExpectedError, error: unknown, lookup: Lookup): void {
  const check = (holds: boolean, what: string): void => {
    if (!holds) throw new Mismatch(`error: expected ${what}, got ${describe(error)}`);
  };
  const cause = causeOf(error);
  const fromServer = cause instanceof MongoServerError;
  if (expected.isClientError !== undefined)
    check(!fromServer === expected.isClientError, `isClientError ${expected.isClientError}`);
  if (expected.isTimeoutError !== undefined)
    check(
      ((cause as Error).name === 'MongoOperationTimeoutError') === expected.isTimeoutError,
      `isTimeoutError ${expected.isTimeoutError}`,
    );
  if (expected.errorContains !== undefined) {
    const wanted = expected.errorContains.toLowerCase();
    check(
      texts(error).some((text) => text.toLowerCase().includes(wanted)),
      `"${expected.errorContains}"`,
    );
  }
  if (expected.errorCode !== undefined) check(codeOf(error) === expected.errorCode, `code ${expected.errorCode}`);
  if (expected.errorCodeName !== undefined)
    check((cause as MongoServerError).codeName === expected.errorCodeName, `code name ${expected.errorCodeName}`);
  for (const label of expected.errorLabelsContain ?? []) check(hasLabel(error, label), `label ${label}`);
  for (const label of expected.errorLabelsOmit ?? []) check(!hasLabel(error, label), `no label ${label}`);
  if (expected.errorResponse) assertMatches(expected.errorResponse, responseOf(cause), lookup, 'error response');
  assertBulk(expected, error, lookup);
}

function assertBulk(expected: ExpectedError, error: unknown, lookup: Lookup): void {
  if (expected.writeErrors) {
    const actual =
      error instanceof MongoClientBulkWriteError ? Object.fromEntries(error.writeErrors) : writeErrorsOf(error);
    for (const [index, wanted] of Object.entries(expected.writeErrors)) {
      const { code, errmsg, message } = (actual[index] ?? {}) as Document;
      assertMatches(wanted, { code, message: message ?? errmsg }, lookup, `writeErrors.${index}`);
    }
    const counts = [Object.keys(actual).length, Object.keys(expected.writeErrors).length];
    if (counts[0] !== counts[1]) throw new Mismatch(`writeErrors: expected ${counts[1]}, got ${counts[0]}`);
  }
  if (expected.writeConcernErrors) {
    const actual = error instanceof MongoClientBulkWriteError ? error.writeConcernErrors : [];
    assertMatches(expected.writeConcernErrors, actual, lookup, 'writeConcernErrors');
  }
  if (expected.expectResult === undefined) return;
  const partial =
    error instanceof MongoClientBulkWriteError
      ? error.partialResult && clientBulkResult(error.partialResult as Document)
      : error instanceof MongoBulkWriteError
        ? bulkResult(error.result as unknown as Document)
        : (error as { result?: Document }).result;
  assertMatches(expected.expectResult, partial, lookup, 'partial result');
}

function writeErrorsOf(error: unknown): Document {
  const errors = error instanceof MongoBulkWriteError ? [error.writeErrors].flat() : [];
  return Object.fromEntries(errors.map((each) => [each.index, { code: each.code, message: each.errmsg }]));
}

/** A client's bulk write that failed as a whole wraps what happened. */
function causeOf(error: unknown): unknown {
  return error instanceof MongoClientBulkWriteError && error.cause instanceof Error ? error.cause : error;
}

function codeOf(error: unknown): unknown {
  const cause = causeOf(error) as MongoServerError;
  return cause.code ?? (cause.errorResponse as Document | undefined)?.code;
}

const responseOf = (error: unknown): unknown =>
  error instanceof MongoServerError ? error.errorResponse : (error as { response?: unknown }).response;

const hasLabel = (error: unknown, label: string): boolean =>
  [error, causeOf(error)].some((each) => each instanceof MongoError && each.hasErrorLabel(label));

function texts(error: unknown): string[] {
  const cause = causeOf(error);
  return [error, cause].map((each) => (each instanceof Error ? each.message : String(each)));
}

const describe = (error: unknown): string => {
  const { name, message, code } = error as MongoServerError;
  const labels = error instanceof MongoError ? error.errorLabels.join() : '';
  return `${name} ${String(code ?? '')} ${message}${labels && ` [${labels}]`}`;
};

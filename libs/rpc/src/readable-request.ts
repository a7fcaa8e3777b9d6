import { AppError, validationError } from '@invoicing/errors';
import type { ServiceDefinition } from './service-definition';

/** What stands for a request that is not what the contract says. It is told to known callers only, like everything else. */
export class UnreadableRequest {
  constructor(readonly error: AppError) {}
}

function whyUnreadable(cause: unknown): AppError {
  if (cause instanceof AppError) return cause;
  const tooLarge = cause instanceof Error && cause.message.includes('Number.');
  const message = tooLarge ? 'a number is beyond 2^53 - 1' : 'the request cannot be read';
  return new AppError('invalid', 'validation', message, { cause, details: [{ path: '', message }] });
}

/** No list of a request has more entries, whatever its method would do with them. */
const LIST_LIMIT = 1_000;

function bounded(request: object): object {
  const long = longLists(request, '');
  if (long.length === 0) return request;
  throw validationError(long.map((path) => ({ path, message: `must have at most ${LIST_LIMIT} entries` })));
}

/** JSON Pointers to the lists that are too long, in messages within messages too. */
function longLists(message: object, path: string): string[] {
  return Object.entries(message).flatMap(([name, value]: [string, unknown]) => {
    const place = `${path}/${name}`;
    if (Array.isArray(value) && value.length > LIST_LIMIT) return [place];
    return typeof value === 'object' && value !== null && !ArrayBuffer.isView(value) ? longLists(value, place) : [];
  });
}

/** The methods of a service for grpc-js, which would call a request that cannot be read our own fault (INTERNAL). */
export const readable = (definition: ServiceDefinition): ServiceDefinition =>
  Object.fromEntries(
    Object.entries(definition).map(([name, method]) => [
      name,
      {
        ...method,
        requestDeserialize: (bytes: Buffer): unknown => {
          try {
            return bounded(method.requestDeserialize(bytes));
          } catch (error) {
            return new UnreadableRequest(whyUnreadable(error));
          }
        },
      },
    ]),
  );

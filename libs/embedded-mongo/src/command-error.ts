import { type Doc } from './bson/value';
import { errorCode, type ErrorName } from './error-codes';

/** A refusal with MongoDB's own code and name; `extra` carries fields such as keyPattern and keyValue. */
export class CommandError extends Error {
  readonly code: number;

  constructor(
    readonly codeName: ErrorName,
    message: string,
    readonly extra: Doc = {},
  ) {
    super(message);
    this.name = 'CommandError';
    this.code = errorCode(codeName);
  }

  toReply(): Doc {
    return { ok: 0, errmsg: this.message, code: this.code, codeName: this.codeName, ...this.extra };
  }
}

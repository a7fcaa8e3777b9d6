import { type Doc } from './bson/value';

/** MongoDB's names for the error codes used here: drivers and mongoose read both. */
const codeNames: Record<number, string> = {
  1: 'InternalError',
  2: 'BadValue',
  8: 'UnknownError',
  9: 'FailedToParse',
  14: 'TypeMismatch',
  16: 'InvalidLength',
  17: 'ProtocolError',
  20: 'IllegalOperation',
  22: 'InvalidBSON',
  26: 'NamespaceNotFound',
  27: 'IndexNotFound',
  28: 'PathNotViable',
  40: 'ConflictingUpdateOperators',
  43: 'CursorNotFound',
  48: 'NamespaceExists',
  50: 'MaxTimeMSExpired',
  52: 'DollarPrefixedFieldName',
  53: 'InvalidIdField',
  54: 'NotSingleValueField',
  56: 'EmptyFieldName',
  57: 'DottedFieldName',
  59: 'CommandNotFound',
  66: 'ImmutableField',
  67: 'CannotCreateIndex',
  72: 'InvalidOptions',
  73: 'InvalidNamespace',
  79: 'UnknownReplWriteConcern',
  85: 'IndexOptionsConflict',
  86: 'IndexKeySpecsConflict',
  96: 'OperationFailed',
  100: 'UnsatisfiableWriteConcern',
  115: 'CommandNotSupported',
  121: 'DocumentValidationFailure',
  123: 'NotAReplicaSet',
  136: 'CappedPositionLost',
  166: 'CommandNotSupportedOnView',
  167: 'OptionNotSupportedOnView',
  168: 'InvalidPipelineOperator',
  171: 'CannotIndexParallelArrays',
  197: 'InvalidIndexSpecificationOption',
  238: 'NotImplemented',
  241: 'ConversionFailure',
  291: 'NoQueryExecutionPlans',
  292: 'QueryExceededMemoryLimitNoDiskUseAllowed',
  10334: 'BSONObjectTooLarge',
  11000: 'DuplicateKey',
  11601: 'Interrupted',
  13388: 'StaleConfig',
};

/** A refusal with MongoDB's own code; `extra` carries fields such as keyPattern and keyValue. */
export class CommandError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly extra: Doc = {},
  ) {
    super(message);
    this.name = 'CommandError';
  }

  get codeName(): string {
    return codeNames[this.code] ?? `Location${this.code}`;
  }

  toReply(): Doc {
    return { ok: 0, errmsg: this.message, code: this.code, codeName: this.codeName, ...this.extra };
  }
}

import { type Document } from 'mongodb';

/** The parts of MongoDB's unified test format (schema 1.x) that the runner acts on. */
export interface TestFile {
  description: string;
  schemaVersion: string;
  runOnRequirements?: Requirement[];
  createEntities?: EntitySpec[];
  initialData?: CollectionData[];
  tests: TestCase[];
}

export interface TestCase {
  description: string;
  skipReason?: string;
  runOnRequirements?: Requirement[];
  operations: Operation[];
  expectEvents?: ExpectedEvents[];
  outcome?: CollectionData[];
}

export interface Requirement {
  minServerVersion?: string;
  maxServerVersion?: string;
  topologies?: string[];
  auth?: boolean;
  serverless?: string;
  csfle?: unknown;
  serverParameters?: Document;
}

export type EntitySpec = Record<string, Document>;

export interface CollectionData {
  collectionName: string;
  databaseName: string;
  createOptions?: Document;
  documents: Document[];
}

export interface Operation {
  name: string;
  object: string;
  arguments?: Document;
  expectResult?: unknown;
  expectError?: ExpectedError;
  ignoreResultAndError?: boolean;
  saveResultAsEntity?: string;
}

export interface ExpectedError {
  isError?: boolean;
  isClientError?: boolean;
  isTimeoutError?: boolean;
  errorContains?: string;
  errorCode?: number;
  errorCodeName?: string;
  errorLabelsContain?: string[];
  errorLabelsOmit?: string[];
  errorResponse?: Document;
  writeErrors?: Record<string, Document>;
  writeConcernErrors?: Document[];
  expectResult?: unknown;
}

export interface ExpectedEvents {
  client: string;
  eventType?: 'command' | 'cmap' | 'sdam';
  events: Record<string, Document>[];
  ignoreExtraEvents?: boolean;
}

/** What became of one test case. */
export interface Verdict {
  suite: string;
  /** `<file>: <description>` */
  name: string;
  result: 'passed' | 'failed' | 'skipped';
  reason?: string;
}

/** A case that this runner, this driver or this server cannot run; its message is the reason. */
export class Skipped extends Error {}

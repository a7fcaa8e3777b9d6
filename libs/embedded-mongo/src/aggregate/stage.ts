import { type Doc, type Value } from '../bson/value';
import { type Variables } from './expression';

/** Documents on their way; undefined is a pause in which others may be let in. */
export type Docs = Iterable<Doc | undefined>;
/** One compiled stage: documents in, documents out, one at a time where the stage allows it. */
export type Stage = (docs: Docs) => Docs;

/** What stages know beside the documents that pass through them. */
export interface PipelineContext {
  /** The documents of another collection of the same database. */
  documents: (collection: string, search: Search) => Docs;
  variables?: Variables | undefined;
}

/** Which documents of another collection, in which order. */
export interface Search {
  filter?: Doc;
  sort?: Doc | undefined;
}

/** How stages compile pipelines that they hold. */
export type CompilePipeline = (pipeline: Doc[], context: PipelineContext) => Stage;

/** Compiles a stage's operand. `compile` is for the pipelines inside: handed over, because the two call each other. */
export type CompileStage = (operand: Value, context: PipelineContext, name: string, compile: CompilePipeline) => Stage;

/**
 * Something that was done as it was asked, and that its asker should look at. It goes beside the answer, never in it, and never refuses.
 */
export interface Warning {
  /** Stable, snake_case. */
  readonly code: string;
  /** A sentence for people, in English. */
  readonly message: string;
  /** JSON Pointer into the request. */
  readonly field: string;
}

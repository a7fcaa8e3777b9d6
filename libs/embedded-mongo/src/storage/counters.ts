/** What is known of each collection by its number, so that it need not be looked up: a cache and nothing more. */
export class Counters {
  readonly nextRecord = new Map<number, number>();
  /** Of capped collections. */
  readonly extents = new Map<number, { documents: number; bytes: number }>();

  forget(): void {
    this.nextRecord.clear();
    this.extents.clear();
  }
}

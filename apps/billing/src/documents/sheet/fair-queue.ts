/**
 * First come, first served within an organisation; the organisations take turns. Whoever asks for a hundred sheets waits for them, not
 * everybody else.
 */
export class FairQueue<T> {
  private readonly byOrganization = new Map<string, T[]>();
  private waiting = 0;

  constructor(
    private readonly most: number,
    private readonly mostOfOne: number,
  ) {}

  get size(): number {
    return this.waiting;
  }

  /** False when no more may wait. */
  push(organizationId: string, item: T): boolean {
    const own = this.byOrganization.get(organizationId) ?? [];
    if (this.waiting >= this.most || own.length >= this.mostOfOne) return false;
    own.push(item);
    this.byOrganization.set(organizationId, own);
    this.waiting++;
    return true;
  }

  /** The next one; its organisation goes to the end of the row. */
  shift(): T | undefined {
    for (const [organizationId, own] of this.byOrganization) {
      const item = own.shift();
      this.byOrganization.delete(organizationId);
      if (own.length > 0) this.byOrganization.set(organizationId, own);
      this.waiting--;
      return item;
    }
    return undefined;
  }
}

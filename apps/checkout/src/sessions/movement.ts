/** Money of a payment that went back, as its provider tells it. */
export interface Movement {
  /** The provider's id. */
  readonly id: string;
  readonly kind: 'refund' | 'chargeback';
  /** Above 0. */
  readonly amountCents: number;
  readonly at: Date;
  /** The refund entry on the invoice's account that asked for it; null when it was made at the provider. */
  readonly entryId: string | null;
  /** It failed, or the seller won it back: the money is here again. */
  readonly undone: boolean;
  /** Why, as far as the provider says. */
  readonly reason: string;
}

/** What a provider tells that is not yet known, or was told otherwise before. */
export const changedMovements = (known: readonly Movement[], told: readonly Movement[]): Movement[] =>
  told.filter(({ id, undone }) => !known.some((each) => each.id === id && each.undone === undone));

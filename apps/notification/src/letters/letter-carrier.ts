/** Whoever prints and posts letters. */
export interface LetterCarrier {
  /**
   * Hands a letter over and answers the carrier's id for it. The same letter again must not be posted twice.
   * Throws LetterRejected when it never will be; any other failure is tried again.
   */
  submit: (letter: LetterToPost) => Promise<string>;
  progress: (carrierId: string) => Promise<LetterProgress>;
  /** How long to wait between two questions after progress. */
  readonly pollMs: number;
}

export interface LetterToPost {
  /** UUID. */
  readonly id: string;
  readonly pdf: Buffer;
  readonly fileName: string;
  readonly createdAt: Date;
}

export type LetterProgress = 'underway' | 'sent' | 'rejected';

export class LetterRejected extends Error {}

import { seededRandom } from '@invoicing/testing';

/** The choices of a simulation: the same seed makes the same ones. */
export class SeededRandom {
  private readonly next: () => number;

  constructor(seed: number) {
    this.next = seededRandom(seed);
  }

  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }
}

import { randomUUID } from 'node:crypto';
import type { Recorder } from './client';
import type { World } from './world';

/** One client: what it asks, where, and how it chooses. */
export interface Traffic {
  readonly url: string;
  readonly world: World;
  readonly recorder: Recorder;
  readonly random: () => number;
}

export const oneOf = <T>(random: () => number, list: readonly T[]): T | undefined =>
  list[Math.floor(random() * list.length)];
export const newId = (): string => `op-${randomUUID()}`;

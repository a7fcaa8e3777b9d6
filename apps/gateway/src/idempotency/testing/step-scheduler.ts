import { type SeededRandom } from './seeded-random';

interface Step {
  readonly process: number;
  /** What another machine does with a command that was sent; it does it even when the sender is gone. */
  readonly effect: (() => void) | undefined;
  readonly resume: () => void;
}

const microtasks = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Runs real async code one await at a time, in an order that a seed decides. A killed process never resumes; commands that it had
 * sent may still arrive, at any later time, or never.
 */
export class StepScheduler {
  private steps: Step[] = [];
  private readonly killed = new Set<number>();

  constructor(private readonly random: SeededRandom) {}

  /** A command to another machine: sent, done there, answered. Each of the three can be the last thing that happens. */
  async command<T>(process: number, effect: () => T): Promise<T> {
    let outcome: { value: T } | { error: unknown } | undefined;
    await this.step(process, () => {
      try {
        outcome = { value: effect() };
      } catch (error) {
        outcome = { error };
      }
    });
    await this.step(process, undefined);
    if (outcome && 'value' in outcome) return outcome.value;
    throw outcome?.error;
  }

  isAlive(process: number): boolean {
    return !this.killed.has(process);
  }

  kill(process: number): void {
    this.killed.add(process);
    this.steps = this.steps.filter((step) => step.process !== process || (step.effect && this.random.chance(0.5)));
  }

  /** Lets one waiting step happen. False when none is waiting. */
  async runOne(): Promise<boolean> {
    await microtasks();
    const [step] = this.steps.splice(this.random.below(this.steps.length), 1);
    if (!step) return false;
    step.effect?.();
    if (this.isAlive(step.process)) step.resume();
    await microtasks();
    return true;
  }

  private step(process: number, effect: (() => void) | undefined): Promise<void> {
    return new Promise((resume) => this.steps.push({ process, effect, resume }));
  }
}

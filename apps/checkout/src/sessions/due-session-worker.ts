import { TaskPool } from '@invoicing/concurrency';
import { startDueWorker, type DueWorker } from '@invoicing/mongo';
import { ROOT_CONTEXT, SpanKind, inSpan } from '@invoicing/telemetry';
import { claimDue, runDue } from './run-due';
import { type DueWork, type Ports } from './session-ports';

export interface DueSessionWorkerOptions {
  readonly ports: Ports;
  readonly work: DueWork;
  readonly onError: (error: unknown) => void;
  readonly pollMs: number;
  /** Sessions worked on at once: a slow peer must not hold up the rest. */
  readonly concurrency: number;
}

/** A background worker for one kind of due work, in every replica side by side. */
export function startDueSessionWorker({
  ports,
  work,
  onError,
  pollMs,
  concurrency,
}: DueSessionWorkerOptions): DueWorker {
  const running = new TaskPool(concurrency);
  const worker = startDueWorker({
    pollMs,
    onError,
    round: async () => {
      await running.room();
      const session = await claimDue(ports, work);
      if (!session) return false;
      running.add(inSpan('due session', SpanKind.INTERNAL, ROOT_CONTEXT, () => runDue(ports, session)).catch(onError));
      return true;
    },
  });
  return {
    wake: worker.wake,
    close: async () => {
      await worker.close();
      await running.idle();
    },
  };
}

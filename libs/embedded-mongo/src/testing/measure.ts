export interface Measured {
  perSecond: number;
  p50: number;
  p99: number;
}

/** Has `clients` call `work` one after another for a while. Times in ms. */
export async function measure(clients: number, forMs: number, work: () => Promise<unknown>): Promise<Measured> {
  const times: number[] = [];
  const started = performance.now();
  const end = started + forMs;
  const client = async (): Promise<void> => {
    for (let now = performance.now(); now < end;) {
      await work();
      const done = performance.now();
      times.push(done - now);
      now = done;
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  const seconds = (performance.now() - started) / 1000;
  times.sort((a, b) => a - b);
  const at = (share: number): number => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { perSecond: times.length / seconds, p50: at(0.5), p99: at(0.99) };
}

type Truthy<T> = Exclude<Awaited<T>, false | 0 | '' | null | undefined>;

/** Polls until `probe` answers something truthy; throws with the last answer after `timeoutMs`. */
export async function waitFor<T>(probe: () => T | Promise<T>, timeoutMs = 10_000, everyMs = 20): Promise<Truthy<T>> {
  const deadline = Date.now() + timeoutMs * Number(process.env['TIME_SCALE'] ?? 1);
  for (;;) {
    const answer = await probe();
    if (answer) return answer as Truthy<T>;
    if (Date.now() > deadline)
      throw new Error(`still ${JSON.stringify(answer)} after ${timeoutMs} ms: ${probe.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}

/** A timestamp of an answer; every record has one, so a missing one is a fault of the service. */
export function isoTime(time: Date | undefined): string {
  if (!time) throw new Error('a service left out a timestamp');
  return time.toISOString();
}

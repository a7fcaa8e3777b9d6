/** Whether a text names a time zone of the IANA database, old names included, that dates can be computed in. */
export function isTimeZone(text: string): boolean {
  // Offsets such as +01:00 are zones to Intl, but know no summer time.
  if (text !== 'UTC' && !/^[A-Za-z]+\/[A-Za-z0-9_+/-]+$/.test(text)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }) !== undefined;
  } catch {
    // The only way to ask for old names too, which supportedValuesOf leaves out.
    return false;
  }
}

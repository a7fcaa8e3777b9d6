const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * Whether a text is a UUID (RFC 9562) in its one stored form: lower case, with dashes, any version. Where callers may write upper
 * case, lower it first and keep what was lowered.
 */
export const isUuid = (text: string): boolean => UUID.test(text);

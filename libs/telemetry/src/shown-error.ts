/** An error as a log line shows it: what it is and where it came from. Other fields (an SMTP server's answer, a request) stay out. */
export function shownError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return typeof error === 'string' ? withoutAddresses(error) : typeof error;
  const { name, message, stack, cause } = error;
  const { code, kind } = error as { code?: unknown; kind?: unknown };
  return {
    type: name,
    message: withoutAddresses(message),
    ...(stack !== undefined && { stack: withoutAddresses(stack) }),
    ...(code !== undefined && { code }),
    ...(kind !== undefined && { kind }),
    ...(cause !== undefined && depth < MAX_CAUSES && { cause: shownError(cause, depth + 1) }),
  };
}

const MAX_CAUSES = 5;

/** Credentials of a URL and e-mail addresses, which messages of libraries and servers carry, are masked. */
const withoutAddresses = (text: string): string =>
  text.replace(/\/\/[^\s/]*@/g, '//***@').replace(/(?<![\w*/])[\w.+%'~=-]+@[\w-]+(\.[\w-]+)*/g, '***@***');

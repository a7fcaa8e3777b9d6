import { raw, type Request, type RequestHandler } from 'express';
import { validationError } from '@invoicing/errors';

// A logo of 256 KiB, and what a form says beside it.
const MAX_BYTES = 320 * 1024;

/** A form that its page reads by itself, because it carries more. */
const isLarge = ({ path }: { readonly path?: string }): boolean => path?.endsWith('/bank/import') === true;

/** Reads a form that carries a file into `request.body`, as `urlencoded` reads the others: texts as texts, files as bytes. */
export const multipart: readonly RequestHandler[] = [
  raw({
    limit: MAX_BYTES,
    type: (request) =>
      !isLarge(request as Request) && (request.headers['content-type'] ?? '').startsWith('multipart/form-data'),
  }),
  async (request, _response, next) => {
    if (!Buffer.isBuffer(request.body)) return next();
    request.body = await fieldsOf(request.body, request.get('content-type') ?? '');
    return next();
  },
];

/** The fields of such a form. Throws `validation` for what is none. */
export async function fieldsOf(body: Buffer, contentType: string): Promise<Record<string, unknown>> {
  let form: FormData;
  try {
    form = await new Response(new Uint8Array(body), { headers: { 'content-type': contentType } }).formData();
  } catch (cause) {
    throw validationError([{ path: '', message: `is not a form: ${(cause as Error).name}` }]);
  }
  const fields: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const [name, value] of form)
    fields[name] = typeof value === 'string' ? value : new Uint8Array(await value.arrayBuffer());
  return fields;
}

/** A file of a form; undefined when none was chosen. */
export function fileOf(request: Request, name: string): Uint8Array | undefined {
  const value = ((request.body ?? {}) as Record<string, unknown>)[name];
  return value instanceof Uint8Array && value.length > 0 ? value : undefined;
}

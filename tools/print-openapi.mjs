import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { bundle } from './bundle.mjs';

/** The OpenAPI document of the gateway's route table, as text. The bundle goes into `folder`. */
export async function printOpenapi(folder) {
  await bundle([{ in: 'apps/gateway/src/openapi/print-document.ts', out: 'print-document' }], folder);
  return createRequire(import.meta.url)(resolve(join(folder, 'print-document.js'))).printDocument();
}

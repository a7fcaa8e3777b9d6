import { type Route } from '../routes/route';
import { VERSION } from '../version';

export function openapiDocument(routes: readonly Route[], publicUrl: string): unknown {
  return {
    openapi: '3.1.0',
    info: { title: 'Invoicing API', version: VERSION },
    servers: [{ url: publicUrl }],
    paths: Object.fromEntries(routes.map((route) => [route.path, {}])),
  };
}

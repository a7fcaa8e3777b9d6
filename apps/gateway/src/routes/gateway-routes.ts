import { Type } from '@sinclair/typebox';
import { health } from '../schemas/health';
import { type OpenOperation } from './route';

export const gatewayRoutes: readonly OpenOperation[] = [
  {
    open: true,
    cors: true,
    operationId: 'getOpenapi',
    method: 'GET',
    path: '/api/v1/openapi',
    tag: 'Service',
    summary: 'The machine-readable description of the API',
    description: 'OpenAPI 3.1, not wrapped in `data`; open to cross-origin requests.',
    answerSchema: undefined,
    statuses: [200],
    answer: async ({ document }) => ({ status: 200, body: document() }),
  },
  {
    open: true,
    cors: false,
    operationId: 'getHealth',
    method: 'GET',
    path: '/api/health',
    tag: 'Service',
    summary: 'Health of the application and its authentication backend',
    description: '200 when the application and the authentication backend are healthy, else 503 with the same body.',
    answerSchema: Type.Object({ data: health }, { additionalProperties: false }),
    statuses: [200, 503],
    answer: async (deps) => {
      const { status, data } = await deps.health();
      return { status, body: JSON.stringify({ data }) };
    },
  },
];

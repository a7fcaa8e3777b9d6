import { type Response } from 'express';
import { type EdgeRequest } from './edge-request';

/** A browser asks before it reads from another origin with headers of its own. */
export const preflight = (request: EdgeRequest, response: Response): Promise<void> => {
  response
    .writeHead(204, {
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD',
      'access-control-allow-headers': '*',
      'access-control-max-age': '86400',
      'x-request-id': request.edge.requestId,
    })
    .end();
  return Promise.resolve();
};

import { Router, type Request, type Response } from 'express';
import { notFoundError } from '@invoicing/errors';
import { assertMay } from '@invoicing/rpc';
import { isUuid, type Action } from '@invoicing/rules';
import type { TeamStore } from '../people/team-store';
import { isActive } from '../people/team';
import type { Peers } from '../peers-client';
import { setVisit, visitFor } from './page-server';
import { callFor, workplace, type SignedInVisit, type Workplace } from './visit';

/** A page of an organisation. What it throws becomes a page, too. */
export type Handler = (place: Workplace, request: Request, response: Response) => Promise<unknown> | unknown;

/** A part of the application: its pages below `/app/<organisation>`. */
export interface Part {
  /** Pages of those whose role may do `action`; absent: of every member. The services check each call by themselves. */
  readonly get: (path: string, handler: Handler, action?: Action) => void;
  readonly post: (path: string, handler: Handler, action?: Action) => void;
}

/** Adds the pages of one part. */
export type AddPart = (part: Part) => void;

/**
 * Everything below `/app/<organisation>`: for members only. To anybody else the organisation does not exist. Role and membership are read
 * for every request: what an owner takes away is gone at once.
 */
export function workplaceRoutes(
  teams: Pick<TeamStore, 'ofUser'>,
  peers: Pick<Peers, 'organizations'>,
  parts: readonly AddPart[],
): Router {
  const router = Router();
  router.use('/:organizationId', async (request, response, next) => {
    const visit = visitFor(response) as SignedInVisit;
    const { organizationId } = request.params;
    if (!isUuid(organizationId)) return next();
    // All of theirs: whoever has several is shown the way to the others.
    const memberships = (await teams.ofUser(visit.user._id)).flatMap(({ _id, members }) =>
      members.filter((each) => each.userId === visit.user._id && isActive(each)).map((each) => ({ _id, member: each })),
    );
    const member = memberships.find(({ _id }) => _id === organizationId)?.member;
    if (!member) throw notFoundError('the organisation');
    const call = callFor(organizationId, { ...member, email: visit.user.email }, visit);
    const organization = await peers.organizations.getOrganization({ organizationId }, call);
    const isWrite = request.method === 'POST';
    setVisit(response, workplace(visit, { member, hasOthers: memberships.length > 1 }, organization, isWrite));
    return next();
  });
  const at = (handler: Handler, action?: Action) => async (request: Request, response: Response, next: () => void) => {
    const place = visitFor(response);
    if (!('organization' in place)) return next();
    if (action) assertMay(place as Workplace, action);
    await handler(place as Workplace, request, response);
  };
  const part: Part = {
    get: (path, handler, action) => void router.get(`/:organizationId${path}`, at(handler, action)),
    post: (path, handler, action) => void router.post(`/:organizationId${path}`, at(handler, action)),
  };
  for (const add of parts) add(part);
  return router;
}

import { randomUUID } from 'node:crypto';
import { Router } from 'express';
import { v5 as uuidv5 } from 'uuid';
import { CreateOrganizationRequest } from '@invoicing/contracts/invoicing/billing/v1/organizations';
import { AppError } from '@invoicing/errors';
import { newCallContext } from '@invoicing/rpc';
import type { PageBlock } from '../pages/blocks';
import { faultList, fieldOf, noFaults, operationOf, submit, type Faults } from '../pages/form-request';
import { visitFor } from '../pages/page-server';
import { show, type SignedInVisit } from '../pages/visit';
import type { Peers } from '../peers-client';
import { personActor, withFirstOwner } from '../people/team';
import type { SignInPorts } from './sign-in-ports';

const CREATE_MS = 10_000;
const MAX_A_DAY = 5;
const DAY_MS = 86_400_000;
const NAMESPACE = '0d1a3b52-6a44-4c57-9d0e-5a2f9a1c7e31';

/** Whoever is signed in creates an organisation and is its owner; where an operator has opened this (`SELF_SIGN_UP`). */
export function signUpRoutes(ports: SignInPorts, peers: Pick<Peers, 'organizations'>): Router {
  const router = Router();

  router.get('/new-organization', (_request, response) => {
    const visit = visitFor(response) as SignedInVisit;
    show(response, visit, namePage(visit, '', noFaults, randomUUID()));
  });

  router.post('/new-organization', async (request, response) => {
    const visit = visitFor(response) as SignedInVisit;
    const { user, requestId } = visit;
    const [name, operation] = [fieldOf(request, 'name'), operationOf(request)];
    // The organisation's id: what somebody else's form made is met by no other person's.
    const operationId = uuidv5(`${user._id} ${operation}`, NAMESPACE);
    await submit(
      visit,
      response,
      async () => {
        const now = ports.clock.now();
        if (!(await ports.limits.take(`organizations:${user._id}`, MAX_A_DAY, DAY_MS, now)))
          throw new AppError('blocked', 'sign_up_closed', visit.t.tooManyOrganizations);
        const person = { service: 'application', userId: user._id, label: user.email } as const;
        const { id } = await peers.organizations.createOrganization(
          CreateOrganizationRequest.fromPartial({ details: { name } }),
          newCallContext(CREATE_MS, { principal: person, operationId, ...(requestId !== undefined && { requestId }) }),
        );
        const owner = { id: ports.newId(), userId: user._id, email: user.email };
        await ports.teams.change(id, { by: personActor(user), action: 'member.joined' }, (team) =>
          withFirstOwner(team, owner, now),
        );
        return `/app/${id}`;
      },
      (faults) => show(response, visit, namePage(visit, name, faults, operation), response.statusCode),
    );
  });
  return router;
}

const namePage = ({ t }: SignedInVisit, name: string, faults: Faults, operation: string): PageBlock => ({
  title: t.newOrganizationTitle,
  intro: t.newOrganizationText,
  notice: faults.notice,
  faults: faultList(faults),
  isNarrow: true,
  sections: [
    {
      forms: [
        {
          action: '/app/new-organization',
          submit: t.createOrganization,
          hidden: { operation },
          fields: [
            {
              ...{ name: 'name', label: t.newOrganizationName, value: name, required: true, maxLength: 200 },
              ...{ autocomplete: 'organization', autofocus: true, fault: faults.fields['name'] },
            },
          ],
        },
      ],
    },
  ],
});

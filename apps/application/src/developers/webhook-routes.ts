import { randomUUID } from 'node:crypto';
import type { Request } from 'express';
import type { Endpoint } from '@invoicing/contracts/invoicing/notification/v1/notification';
import { notFoundError } from '@invoicing/errors';
import { chosenOf, faultList, fieldOf, noFaults, operationOf, submit, type Faults } from '../pages/form-request';
import { doneNotice, idOf } from '../pages/list-request';
import { show, type Workplace } from '../pages/visit';
import type { AddPart, Part } from '../pages/workplace-routes';
import type { Peers } from '../peers-client';
import { deliveryPage, endpointPage, endpointsPage, newEndpointPage, secretPage } from './webhook-pages';

/** How many deliveries a page shows: the newest. */
const LISTED = 50;

/** Webhook endpoints, and what is on its way to them. */
export const webhookRoutes =
  (peers: Peers): AddPart =>
  (part) => {
    listEndpoints(peers, part);
    makeEndpoints(peers, part);
    showEndpoints(peers, part);
    changeEndpoints(peers, part);
    redeliver(peers, part);
  };

function listEndpoints(peers: Peers, part: Part): void {
  part.get(
    '/webhooks',
    async (place, _request, response) => {
      const { organizationId } = place;
      const { endpoints } = await peers.webhooks.listEndpoints({ organizationId }, place.call());
      show(response, place, endpointsPage(place, endpoints));
    },
    'webhooks.manage',
  );
}

function makeEndpoints(peers: Peers, part: Part): void {
  part.get(
    '/webhooks/new',
    (place, _request, response) =>
      show(response, place, newEndpointPage(place, { url: '', events: ['invoice.paid'] }, noFaults, randomUUID())),
    'webhooks.manage',
  );

  part.post(
    '/webhooks/new',
    (place, request, response) => {
      const { organizationId } = place;
      const operation = operationOf(request);
      const given = { url: fieldOf(request, 'url'), events: chosenOf(request, 'events') };
      return submit(
        place,
        response,
        async () => {
          const { endpoint, secret } = await peers.webhooks.createEndpoint(
            { organizationId, ...given },
            place.call(operation),
          );
          return () => show(response, place, secretPage(place, endpoint!, secret));
        },
        (faults) =>
          show(response, place, newEndpointPage(place, given, atEvents(faults), operation), response.statusCode),
      );
    },
    'webhooks.manage',
  );
}

const atEvents = (faults: Faults): Faults => ({
  ...faults,
  fields: Object.fromEntries(
    Object.entries(faults.fields).map(([name, message]) => [name.startsWith('events.') ? 'events' : name, message]),
  ),
});

function showEndpoints(peers: Peers, part: Part): void {
  part.get(
    '/webhooks/:id',
    async (place, request, response) => {
      const { organizationId } = place;
      const endpoint = await findEndpoint(peers, place, request);
      const { deliveries } = await peers.webhooks.listDeliveries(
        { organizationId, endpointId: endpoint.id, limit: LISTED },
        place.call(),
      );
      const shown = { endpoint, deliveries, operation: randomUUID(), notice: doneNotice(request, place.t) };
      show(response, place, endpointPage(place, shown));
    },
    'webhooks.manage',
  );

  part.get(
    '/webhooks/:id/deliveries/:deliveryId',
    async (place, request, response) => {
      const endpoint = await findEndpoint(peers, place, request);
      const { organizationId } = place;
      const deliveryId = deliveryIdOf(request);
      const delivery = await peers.webhooks.getDelivery({ organizationId, deliveryId }, place.call());
      show(response, place, deliveryPage(place, endpoint, delivery, doneNotice(request, place.t)));
    },
    'webhooks.manage',
  );
}

/** What is said of an endpoint as a whole: what it gets, whether it gets anything, by which secret. */
function changeEndpoints(peers: Peers, part: Part): void {
  const change = (
    path: string,
    verb: (place: Workplace, endpoint: Endpoint, request: Request) => Promise<string | undefined>,
  ): void =>
    part.post(
      `/webhooks/:id/${path}`,
      async (place, request, response) => {
        const endpoint = await findEndpoint(peers, place, request);
        await submit(
          place,
          response,
          async () => {
            const secret = await verb(place, endpoint, request);
            if (secret !== undefined) return () => show(response, place, secretPage(place, endpoint, secret));
            return `${place.at(`webhooks/${endpoint.id}`)}?done=yes`;
          },
          (faults) => {
            const shown = { endpoint, deliveries: [], operation: randomUUID(), notice: faults.notice };
            const page = endpointPage(place, { ...shown, faults: atEvents(faults) });
            show(response, place, { ...page, faults: faultList(faults) }, response.statusCode);
          },
        );
      },
      'webhooks.manage',
    );
  const { webhooks } = peers;
  const names = ({ organizationId }: Workplace, { id }: Endpoint) => ({ organizationId, endpointId: id });
  change('events', async (place, endpoint, request) => {
    await webhooks.updateEndpoint({ ...names(place, endpoint), events: chosenOf(request, 'events') }, place.call());
    return undefined;
  });
  change('disable', async (place, endpoint) => {
    await webhooks.disableEndpoint(names(place, endpoint), place.call());
    return undefined;
  });
  change('enable', async (place, endpoint, request) => {
    const catchUp = fieldOf(request, 'catchUp') === 'yes';
    await webhooks.enableEndpoint({ ...names(place, endpoint), catchUp }, place.call());
    return undefined;
  });
  change('test', async (place, endpoint, request) => {
    await webhooks.sendTestEvent(names(place, endpoint), place.call(operationOf(request)));
    return undefined;
  });
  change('rotate', async (place, endpoint, request) => {
    const now = fieldOf(request, 'when') === 'now';
    return (await webhooks.rotateSecret({ ...names(place, endpoint), now }, place.call())).secret;
  });
  change('redeliver', async (place, endpoint) => {
    await webhooks.redeliverPeriod({ ...names(place, endpoint), from: undefined, to: undefined }, place.call());
    return undefined;
  });
}

/** One delivery, once more. */
function redeliver(peers: Peers, part: Part): void {
  part.post(
    '/webhooks/:id/deliveries/:deliveryId/redeliver',
    async (place, request, response) => {
      const { organizationId, at } = place;
      const endpointId = idOf(request.params['id']);
      const deliveryId = deliveryIdOf(request);
      await peers.webhooks.redeliver({ organizationId, deliveryId }, place.call());
      response.redirect(303, `${at(`webhooks/${endpointId}/deliveries/${deliveryId}`)}?done=yes`);
    },
    'webhooks.manage',
  );
}

const DELIVERY_ID = /^[0-9a-f-]{36}:[0-9a-f-]{36}$/;

/** `<event id>:<endpoint id>`, of the endpoint in the address. */
function deliveryIdOf(request: Request): string {
  const { id, deliveryId } = request.params;
  if (typeof deliveryId === 'string' && DELIVERY_ID.test(deliveryId) && deliveryId.endsWith(`:${String(id)}`))
    return deliveryId;
  throw notFoundError('the delivery');
}

async function findEndpoint(peers: Peers, place: Workplace, request: Request): Promise<Endpoint> {
  const { organizationId } = place;
  const id = idOf(request.params['id']);
  const { endpoints } = await peers.webhooks.listEndpoints({ organizationId }, place.call());
  const endpoint = endpoints.find((each) => each.id === id);
  if (!endpoint) throw notFoundError('the endpoint');
  return endpoint;
}

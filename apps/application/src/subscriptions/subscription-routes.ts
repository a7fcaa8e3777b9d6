import { randomUUID } from 'node:crypto';
import type { Request, Response } from 'express';
import {
  PreviewSubscriptionRequest,
  type Occurrence,
  type Subscription,
} from '@invoicing/contracts/invoicing/billing/v1/subscriptions';
import { AppError } from '@invoicing/errors';
import { customersFor, followingPressedProduct, productsFor } from '../editor/choices';
import { atFormLines } from '../invoices/draft-routes';
import { customerNames } from '../invoices/invoice-table';
import { faultList, fieldOf, noFaults, operationOf, submit, type Faults } from '../pages/form-request';
import { cursorOf, idOf } from '../pages/list-request';
import { show, showFragment, showTemplate, type Workplace } from '../pages/visit';
import { savedAddress, savedNotice } from '../pages/warnings';
import type { AddPart, Part } from '../pages/workplace-routes';
import type { Peers } from '../peers-client';
import {
  blankSubscription,
  createRequest,
  formOf,
  typedSubscription,
  updateRequest,
  type SubscriptionForm,
} from './subscription-form';
import { editorView, listPage, occurrencesSection, subscriptionPage } from './subscription-pages';

const LISTED = 50;
/** Invoices that are shown before anything is saved. */
const AHEAD = 6;

/** Subscriptions: invoices that come back by themselves. */
export const subscriptionRoutes =
  (peers: Peers): AddPart =>
  (part) => {
    listSubscriptions(peers, part);
    makeSubscriptions(peers, part);
    changeSubscriptions(peers, part);
    haltSubscriptions(peers, part);
  };

function listSubscriptions(peers: Peers, part: Part): void {
  part.get('/subscriptions', async (place, request, response) => {
    const { organizationId } = place;
    const asked = { organizationId, limit: LISTED, profileId: undefined, cursor: cursorOf(request) };
    const { subscriptions, cursor } = await peers.subscriptions.listSubscriptions(asked, place.call());
    const names = await customerNames(peers, place, subscriptions);
    show(response, place, listPage(place, subscriptions, names, cursor));
  });
}

function makeSubscriptions(peers: Peers, part: Part): void {
  part.get(
    '/subscriptions/new',
    async (place, request, response) => {
      const { customer } = request.query;
      const form = blankSubscription(typeof customer === 'string' ? customer : '');
      await showEditor(peers, place, response, { form, hidden: { operation: randomUUID() }, faults: noFaults });
    },
    'subscriptions.write',
  );

  part.post(
    '/subscriptions/new',
    async (place, request, response) => {
      const operation = operationOf(request);
      const form = followingPressedProduct(request, typedSubscription(request));
      const again = (faults: Faults) => showEditor(peers, place, response, { form, hidden: { operation }, faults });
      if (fieldOf(request, 'press') !== 'save') return again(noFaults);
      return submit(
        place,
        response,
        async () => {
          const asked = createRequest(place.organizationId, form);
          const { id, warnings } = await peers.subscriptions.createSubscription(asked, place.call(operation));
          return savedAddress(place.at(`subscriptions/${id}`), warnings);
        },
        (faults) => again(atFields(faults, form)),
      );
    },
    'subscriptions.write',
  );

  // What the script asks for while somebody types.
  part.post(
    '/subscriptions/new/preview',
    async (place, request, response) =>
      showFragment(response, place, 'section', {
        section: occurrencesSection(place, await upcoming(peers, place, typedSubscription(request))),
      }),
    'subscriptions.write',
  );
}

function changeSubscriptions(peers: Peers, part: Part): void {
  part.get('/subscriptions/:id', async (place, request, response) => {
    const subscription = await find(peers, place, request);
    const { organizationId } = place;
    const asked = { organizationId, subscriptionId: subscription.id, count: AHEAD };
    const [{ occurrences }, names] = await Promise.all([
      peers.subscriptions.previewSubscription(PreviewSubscriptionRequest.fromPartial(asked), place.call()),
      customerNames(peers, place, [subscription]),
    ]);
    const notice = savedNotice(request, place.t);
    show(response, place, subscriptionPage(place, { subscription, occurrences, names, notice }));
  });

  part.get(
    '/subscriptions/:id/edit',
    async (place, request, response) => {
      const subscription = await find(peers, place, request);
      const form = formOf(subscription, place.language);
      const hidden = { revision: String(subscription.revision) };
      await showEditor(peers, place, response, { form, hidden, faults: noFaults, subscription });
    },
    'subscriptions.write',
  );

  part.post(
    '/subscriptions/:id/edit',
    async (place, request, response) => {
      const subscription = await find(peers, place, request);
      const typed = followingPressedProduct(request, typedSubscription(request));
      const form = { ...typed, customerId: subscription.customerId };
      const revision = fieldOf(request, 'revision');
      const again = (faults: Faults) =>
        showEditor(peers, place, response, { form, hidden: { revision }, faults, subscription });
      if (fieldOf(request, 'press') !== 'save') return again(noFaults);
      return submit(
        place,
        response,
        async () => {
          const seen = /^\d+$/.test(revision) ? Number(revision) : undefined;
          const change = updateRequest(subscription, form, seen);
          const { warnings } = await peers.subscriptions.updateSubscription(change, place.call());
          return savedAddress(place.at(`subscriptions/${subscription.id}`), warnings);
        },
        (faults) => again(atFields(faults, form)),
      );
    },
    'subscriptions.write',
  );

  part.post(
    '/subscriptions/:id/preview',
    async (place, request, response) => {
      const subscription = await find(peers, place, request);
      const occurrences = await upcoming(peers, place, typedSubscription(request), subscription);
      showFragment(response, place, 'section', { section: occurrencesSection(place, occurrences) });
    },
    'subscriptions.write',
  );
}

/** Paused, resumed, ended. */
function haltSubscriptions({ subscriptions }: Peers, part: Part): void {
  const verbs = {
    pause: subscriptions.pauseSubscription,
    resume: subscriptions.resumeSubscription,
    end: subscriptions.endSubscription,
  };
  for (const [path, verb] of Object.entries(verbs))
    part.post(
      `/subscriptions/:id/${path}`,
      async (place, request, response) => {
        const subscriptionId = idOf(request.params['id']);
        await verb({ organizationId: place.organizationId, subscriptionId }, place.call());
        response.redirect(303, `${place.at(`subscriptions/${subscriptionId}`)}?done=yes`);
      },
      'subscriptions.write',
    );
}

async function find(peers: Peers, { organizationId, call }: Workplace, request: Request): Promise<Subscription> {
  const subscriptionId = idOf(request.params['id']);
  return peers.subscriptions.getSubscription({ organizationId, subscriptionId }, call());
}

/** The next invoices of what is being typed; undefined while that makes none. */
async function upcoming(
  peers: Peers,
  { organizationId, call }: Workplace,
  form: SubscriptionForm,
  subscription?: Subscription,
): Promise<readonly Occurrence[] | undefined> {
  try {
    const asked = {
      organizationId,
      subscriptionId: subscription?.id ?? '',
      count: AHEAD,
      created: subscription ? undefined : createRequest(organizationId, form),
      updated: subscription && updateRequest(subscription, form, undefined),
    };
    return (await peers.subscriptions.previewSubscription(asked, call())).occurrences;
  } catch (error) {
    if (error instanceof AppError && ['invalid', 'blocked'].includes(error.kind)) return undefined;
    throw error;
  }
}

/** What billing says of the first day stands beside the field of it. */
const atFields = (faults: Faults, form: SubscriptionForm): Faults => {
  const { startDate, ...fields } = atFormLines(faults, form).fields;
  return { ...faults, fields: { ...fields, ...(startDate !== undefined && { from: startDate }) } };
};

interface Shown {
  readonly form: SubscriptionForm;
  readonly hidden: Readonly<Record<string, string>>;
  readonly faults: Faults;
  readonly subscription?: Subscription;
}

async function showEditor(peers: Peers, place: Workplace, response: Response, shown: Shown): Promise<void> {
  const { form, faults, subscription } = shown;
  const [customers, products, occurrences] = await Promise.all([
    // Whose it is never changes.
    subscription ? undefined : customersFor(peers, place, form),
    productsFor(peers, place, form),
    upcoming(peers, place, form, subscription),
  ]);
  const view = editorView(place, { ...shown, customers, products, occurrences });
  showTemplate(response, place, 'editor', {
    ...view,
    page: { ...view.page, faults: faultList(faults), notice: faults.notice },
  });
}

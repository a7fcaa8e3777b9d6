import { randomUUID } from 'node:crypto';
import type { Response } from 'express';
import { toString as qrOf } from 'qrcode';
import {
  CheckoutStatus,
  ListCheckoutsRequest,
  type Checkout,
} from '@invoicing/contracts/invoicing/checkout/v1/checkout';
import { priced, productsFor, withPressedProduct } from '../editor/choices';
import { atFormLines } from '../invoices/draft-routes';
import { faultList, fieldOf, noFaults, operationOf, submit, type Faults } from '../pages/form-request';
import { idOf } from '../pages/list-request';
import { show, showFragment, showTemplate, type Workplace } from '../pages/visit';
import { savedAddress, savedNotice } from '../pages/warnings';
import type { AddPart, Part } from '../pages/workplace-routes';
import type { Peers } from '../peers-client';
import { blankCheckout, createRequest, typedCheckout, type CheckoutForm } from './checkout-form';
import { amountSection, checkoutPage, editorView, listPage } from './checkout-pages';

const LISTED = 100;

/** Checkouts: links that get the organisation paid. */
export const checkoutRoutes =
  (peers: Peers): AddPart =>
  (part) => {
    listCheckouts(peers, part);
    makeCheckouts(peers, part);
    showCheckouts(peers, part);
    cancelCheckouts(peers, part);
  };

function listCheckouts(peers: Peers, part: Part): void {
  part.get('/checkouts', async (place, _request, response) => {
    const { organizationId } = place;
    const asked = ListCheckoutsRequest.fromPartial({ organizationId, limit: LISTED });
    const { checkouts } = await peers.checkouts.listCheckouts(asked, place.call());
    show(response, place, listPage(place, checkouts));
  });
}

function makeCheckouts(peers: Peers, part: Part): void {
  part.get(
    '/checkouts/new',
    (place, _request, response) =>
      showEditor(peers, place, response, {
        form: blankCheckout(),
        hidden: { operation: randomUUID() },
        faults: noFaults,
      }),
    'checkouts.write',
  );

  part.post(
    '/checkouts/new',
    async (place, request, response) => {
      const operation = operationOf(request);
      const form = await withPressedProduct(peers, place, request, typedCheckout(request));
      const again = (faults: Faults) => showEditor(peers, place, response, { form, hidden: { operation }, faults });
      if (fieldOf(request, 'press') !== 'save') return again(noFaults);
      return submit(
        place,
        response,
        async () => {
          const asked = createRequest(place.organizationId, form);
          const { id, warnings } = await peers.checkouts.createCheckout(asked, place.call(operation));
          return savedAddress(place.at(`checkouts/${id}`), warnings);
        },
        (faults) => again(atFields(faults, form)),
      );
    },
    'checkouts.write',
  );

  // What the script asks for while somebody types.
  part.post(
    '/checkouts/new/preview',
    async (place, request, response) => {
      const lines = await priced(peers, place, typedCheckout(request));
      showFragment(response, place, 'section', { section: amountSection(place, lines) });
    },
    'checkouts.write',
  );
}

function showCheckouts(peers: Peers, part: Part): void {
  part.get('/checkouts/:id', async (place, request, response) => {
    const { organizationId } = place;
    const named = { organizationId, checkoutId: idOf(request.params['id']) };
    const [checkout, { attempts }] = await Promise.all([
      peers.checkouts.getCheckout(named, place.call()),
      peers.checkouts.listAttempts(named, place.call()),
    ]);
    const notice = savedNotice(request, place.t);
    show(response, place, checkoutPage(place, { checkout, attempts, notice, qr: await qrCode(checkout) }));
  });
}

/** Nobody can begin to pay it any more; money that is on its way still makes it paid. */
function cancelCheckouts({ checkouts }: Peers, part: Part): void {
  part.post(
    '/checkouts/:id/cancel',
    (place, request, response) => {
      const { t, organizationId, at } = place;
      const checkoutId = idOf(request.params['id']);
      return submit(
        place,
        response,
        async () => {
          await checkouts.cancelCheckout({ organizationId, checkoutId }, place.call());
          return `${at(`checkouts/${checkoutId}`)}?done=yes`;
        },
        () =>
          show(
            response,
            place,
            {
              title: t.cancelCheckout,
              back: { label: t.checkouts, href: at(`checkouts/${checkoutId}`) },
              notice: { tone: 'bad', title: t.wrongTitle, text: t.cancelCheckoutLate },
              isNarrow: true,
              sections: [],
            },
            409,
          ),
      );
    },
    'checkouts.write',
  );
}

/** The link as a QR code, SVG; undefined when there is nothing to pay any more. */
const qrCode = async ({ status, url }: Checkout): Promise<string | undefined> =>
  status === CheckoutStatus.OPEN ? qrOf(url, { type: 'svg', margin: 2, errorCorrectionLevel: 'M' }) : undefined;

const NAMES: Readonly<Record<string, string>> = { expiresInHours: 'days', 'customer.email': 'email' };

/** Faults at the fields of the form that they are of. */
const atFields = (faults: Faults, form: CheckoutForm): Faults => ({
  ...faults,
  fields: Object.fromEntries(
    Object.entries(atFormLines(faults, form).fields).map(([name, message]) => [NAMES[name] ?? name, message]),
  ),
});

interface Shown {
  readonly form: CheckoutForm;
  readonly hidden: Readonly<Record<string, string>>;
  readonly faults: Faults;
}

async function showEditor(peers: Peers, place: Workplace, response: Response, shown: Shown): Promise<void> {
  const { organizationId } = place;
  const { form, faults } = shown;
  const [products, { accounts }, lines] = await Promise.all([
    productsFor(peers, place, form),
    peers.providers.listProviders({ organizationId }, place.call()),
    priced(peers, place, form),
  ]);
  const view = editorView(place, { ...shown, products, priced: lines });
  const notice =
    faults.notice ?? (accounts.length === 0 ? ({ tone: 'warning', text: place.t.noProvider } as const) : undefined);
  showTemplate(response, place, 'editor', { ...view, page: { ...view.page, faults: faultList(faults), notice } });
}

import type { Request } from 'express';
import type { Invoice } from '@invoicing/contracts/invoicing/billing/v1/invoices';
import { idOf } from '../pages/list-request';
import type { Workplace } from '../pages/visit';
import type { Peers } from '../peers-client';

/** The draft or issued document that the path names (`:id`), of the organisation at work. Throws `absent`. */
export const findInvoice = (peers: Peers, place: Workplace, request: Request): Promise<Invoice> =>
  peers.invoices.getInvoice(
    { organizationId: place.organizationId, invoiceId: idOf(request.params['id']) },
    place.call(),
  );

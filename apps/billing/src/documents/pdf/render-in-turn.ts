import { AppError } from '@invoicing/errors';
import type { FrozenInvoice } from '../../invoices/invoice';
import { renderPdf } from './render-pdf';

type Render = (invoice: FrozenInvoice) => Promise<Uint8Array>;

const MOST_WAITING = 100;

/**
 * Renders one document at a time, however many ask: a sheet of 500 long lines is seconds of work, and whoever holds a link may ask for
 * it. Those who ask for the same document share one rendering. Throws `unavailable` when too many wait.
 */
export function inTurn(render: Render, mostWaiting = MOST_WAITING): Render {
  const pending = new Map<string, Promise<Uint8Array>>();
  let last: Promise<unknown> = Promise.resolve();
  return (invoice) => {
    const shared = pending.get(invoice.id);
    if (shared) return shared;
    if (pending.size >= mostWaiting)
      return Promise.reject(new AppError('unavailable', 'unavailable', 'too many documents are being rendered'));
    const made = last.then(() => render(invoice)).finally(() => pending.delete(invoice.id));
    pending.set(invoice.id, made);
    // The next one does not care how this one ended.
    last = made.catch(() => undefined);
    return made;
  };
}

/** `renderPdf` for everybody who asks this process. */
export const renderPdfInTurn = inTurn(renderPdf);

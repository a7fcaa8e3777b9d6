import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { finishPdf } from './finish-pdf';
import { renderQueue, type RenderQueue } from './render-queue';
import { E_INVOICE_FILES, sheetFiles } from './sheet-files';
import type { SheetSource } from './sheet-source';
import { sheetView } from './sheet-view';
import type { SetSheet, SheetJob } from './typst-process';

/** Who waits for a sheet: what is sent (mail, letters, the API), or somebody with a page open. Neither waits for the other. */
export type QueueName = 'mail' | 'page';

export interface SheetRenderer {
  /**
   * The sheet as PDF/A-3a and PDF/UA-1, or as one SVG of all its pages: the same bytes for the same source, whatever was rendered
   * before and wherever. Throws `unavailable` when too many wait.
   */
  readonly render: (source: SheetSource, format: SheetJob['format'], queue: QueueName) => Promise<Uint8Array>;
  readonly close: () => void;
}

const MAX_CACHED_BYTES = 48 * 2 ** 20;

export function sheetRenderer(startQueue: () => RenderQueue = () => renderQueue()): SheetRenderer {
  const queues: Record<QueueName, RenderQueue> = { mail: startQueue(), page: startQueue() };
  const cached = new LRUCache<string, Uint8Array>({
    maxSize: MAX_CACHED_BYTES,
    sizeCalculation: ({ length }) => length || 1,
  });
  const pending = new Map<string, Promise<Uint8Array>>();

  return {
    render: async (source, format, queue) => {
      const key = keyOf(source, format);
      const known = cached.get(key);
      if (known) return known;
      // Whoever asks for the same sheet in the same queue shares one rendering.
      const place = `${queue} ${key}`;
      const made = pending.get(place) ?? renderIn(queues[queue], source, format).finally(() => pending.delete(place));
      pending.set(place, made);
      const content = await made;
      cached.set(key, content);
      return content;
    },
    close: () => Object.values(queues).forEach((queue) => queue.close()),
  };
}

async function renderIn(queue: RenderQueue, source: SheetSource, format: SheetJob['format']): Promise<Uint8Array> {
  const files = format === 'pdf' ? sheetFiles(source) : [];
  const { content }: SetSheet = await queue.render(source.invoice.organizationId, {
    format,
    view: JSON.stringify(await sheetView(source)),
    logo: source.invoice.style.logo,
    files,
    createdAt: Math.floor(source.invoice.issuedAt.getTime() / 1_000),
  });
  return format === 'pdf'
    ? finishPdf(content, { facturX: files.some(({ name }) => name === E_INVOICE_FILES.cii) })
    : content;
}

/** Over everything that the sheet is made from. */
function keyOf({ invoice, ...rest }: SheetSource, format: string): string {
  const { logo, ...style } = invoice.style;
  return createHash('sha256')
    .update(JSON.stringify([format, rest, { ...invoice, style }]))
    .update(logo ?? '')
    .digest('hex');
}

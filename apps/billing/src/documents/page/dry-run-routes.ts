import type { Router } from 'express';
import type { Rendered } from '../render-invoice';

/** The document behind an address of a dry run; undefined when it is over. */
export type DryRunDocumentOf = (token: string, file: 'pdf' | 'xml') => Promise<Rendered | undefined>;

/** What a dry run answered the address of: a document that was never made, for ten minutes. */
export function dryRunRoutes(router: Router, dryRun: DryRunDocumentOf): void {
  router.get('/dry-run/:token/invoice.:file', async (request, response, next) => {
    const { token, file } = request.params;
    const rendered = file === 'pdf' || file === 'xml' ? await dryRun(token, file) : undefined;
    if (!rendered) return next();
    const { content, contentType, fileName } = rendered;
    response
      // A policy with default-src would keep a browser's viewer from drawing it.
      .set('Content-Security-Policy', "frame-ancestors 'none'")
      .set('Cache-Control', 'no-store')
      .set('Content-Disposition', `${file === 'pdf' ? 'inline' : 'attachment'}; filename="${fileName}"`)
      .type(contentType)
      .send(Buffer.from(content));
  });
}

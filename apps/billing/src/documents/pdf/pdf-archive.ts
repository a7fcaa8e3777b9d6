import type { FrozenInvoice } from '../../invoices/invoice';
import { srgbProfile } from './srgb-profile';

/** The parts of pdfkit's PDF/A support that are replaced here; it has no public way to do so. */
interface ArchiveInternals {
  info: { Title: string; Author: string; CreationDate: Date };
  _root: { data: Record<string, unknown> };
  appendXML: (xml: string) => void;
  _addInfo: () => void;
  _addColorOutputIntent: () => void;
}

const PRODUCER = 'Invoicing';

const escape = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

/** Options that make pdfkit write PDF/A-3b with bytes that depend on the invoice alone. */
export const archiveOptions = (invoice: FrozenInvoice, title: string): PDFKit.PDFDocumentOptions => ({
  pdfVersion: '1.7',
  subset: 'PDF/A-3b' as NonNullable<PDFKit.PDFDocumentOptions['subset']>,
  lang: invoice.language,
  displayTitle: true,
  info: {
    Title: title,
    Author: invoice.seller.name,
    Creator: PRODUCER,
    Producer: PRODUCER,
    CreationDate: invoice.issuedAt,
  },
});

/**
 * pdfkit writes names into the XMP packet without escaping (a "&" would break it, a "<" would add to it), and it reads
 * its colour profile from a file beside its own source, which a bundle does not have.
 */
export function archive(document: PDFKit.PDFDocument): void {
  const internals = document as unknown as ArchiveInternals;
  internals._addInfo = () => {
    const created = `${internals.info.CreationDate.toISOString().split('.')[0]}Z`;
    internals.appendXML(`
      <rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/">
        <xmp:CreateDate>${created}</xmp:CreateDate>
        <xmp:CreatorTool>${PRODUCER}</xmp:CreatorTool>
        <dc:title><rdf:Alt><rdf:li xml:lang="x-default">${escape(internals.info.Title)}</rdf:li></rdf:Alt></dc:title>
        <dc:creator><rdf:Seq><rdf:li>${escape(internals.info.Author)}</rdf:li></rdf:Seq></dc:creator>
        <pdf:Producer>${PRODUCER}</pdf:Producer>
      </rdf:Description>`);
  };
  internals._addColorOutputIntent = () => {
    const profile = document.ref({ N: 3 });
    profile.end(Buffer.from(srgbProfile()));
    const intent = document.ref({
      Type: 'OutputIntent',
      S: 'GTS_PDFA1',
      Info: new String('sRGB IEC61966-2.1'),
      OutputConditionIdentifier: new String('sRGB IEC61966-2.1'),
      DestOutputProfile: profile,
    });
    intent.end(null);
    internals._root.data['OutputIntents'] = [intent];
  };
}

import { FACTUR_X_SCHEMA, facturXProperties, PDF_UA_PROPERTIES, PDF_UA_SCHEMA } from './xmp-schemas';

/**
 * Completes a PDF/A-3a as Typst 0.14 writes it: it also says that it is PDF/UA-1 (the compiler checks either, and writes the identifier of
 * one only), asks viewers to show the title, and describes a Factur-X file that goes along. The metadata and the catalog are the
 * last two objects, so only they and what points past them change. Throws when the PDF is laid out otherwise.
 */
export function finishPdf(pdf: Uint8Array, options: { facturX: boolean }): Uint8Array {
  const bytes = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.length);
  const { metadata, catalog, xref } = placesIn(bytes);
  const text = (from: number, to: number): string => bytes.toString('latin1', from, to);

  const newMetadata = withSchemas(text(metadata.at, catalog.at), options.facturX);
  const newCatalog = replaceOnce(
    text(catalog.at, xref),
    '/ViewerPreferences <<',
    '/ViewerPreferences <<\n    /DisplayDocTitle true',
  );
  const catalogAt = metadata.at + newMetadata.length;
  const xrefAt = catalogAt + newCatalog.length;
  const entry = (at: number): string => `${String(at).padStart(10, '0')} 00000 n`;
  const tail = replaceOnce(
    replaceOnce(text(xref, bytes.length), entry(catalog.at), entry(catalogAt)),
    `startxref\n${xref}`,
    `startxref\n${xrefAt}`,
  );
  const head = bytes.subarray(0, metadata.at);
  return new Uint8Array(Buffer.concat([head, Buffer.from(newMetadata + newCatalog + tail, 'latin1')]));
}

interface Place {
  readonly number: number;
  readonly at: number;
}

function placesIn(bytes: Buffer): { metadata: Place; catalog: Place; xref: number } {
  const xref = Number(/startxref\n(\d+)\n%%EOF\s*$/.exec(bytes.toString('latin1', bytes.length - 64))?.[1]);
  const trailer = bytes.toString('latin1', xref);
  const entries = trailer.split('\n').slice(2);
  const place = (number: number): Place => ({ number, at: Number(entries[number]?.slice(0, 10)) });
  const catalog = place(Number(/\/Root (\d+) 0 R/.exec(trailer)?.[1]));
  const metadata = place(Number(/\/Metadata (\d+) 0 R/.exec(bytes.toString('latin1', catalog.at, xref))?.[1]));
  const later = entries.filter((line) => / n\s*$/.test(line) && Number(line.slice(0, 10)) > metadata.at);
  if (!(metadata.at < catalog.at && catalog.at < xref && later.length === 1))
    throw new Error('the PDF is not laid out as expected');
  return { metadata, catalog, xref };
}

function withSchemas(object: string, facturX: boolean): string {
  const [, header, length, between, xmp, end] =
    /^(\d+ 0 obj\n<<\n {2}\/Length )(\d+)([^]*?stream\n)([^]*)(\nendstream\nendobj\s*)$/.exec(object) ?? [];
  if (xmp?.length !== Number(length)) throw new Error('the metadata is not laid out as expected');
  const schemas = PDF_UA_SCHEMA + (facturX ? FACTUR_X_SCHEMA : '');
  const properties = PDF_UA_PROPERTIES + (facturX ? facturXProperties('factur-x.xml') : '');
  const described = replaceOnce(
    xmp,
    '</rdf:Bag></pdfaExtension:schemas>',
    `${schemas}</rdf:Bag></pdfaExtension:schemas>`,
  );
  const complete = replaceOnce(described, '</rdf:RDF>', `${properties}</rdf:RDF>`);
  return `${header}${complete.length}${between}${complete}${end}`;
}

function replaceOnce(text: string, from: string, to: string): string {
  const at = text.indexOf(from);
  if (at < 0 || text.includes(from, at + 1)) throw new Error(`the PDF has not exactly one ${from}`);
  return text.slice(0, at) + to + text.slice(at + from.length);
}

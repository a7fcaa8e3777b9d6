interface Property {
  readonly name: string;
  readonly valueType: string;
  readonly description: string;
  readonly category?: 'internal' | 'external';
}

// PDF/A wants every metadata schema that it does not know described in the file (ISO 19005-3, 6.6.2.3).
const describe = (schema: string, namespace: string, prefix: string, properties: readonly Property[]): string =>
  `<rdf:li rdf:parseType="Resource"><pdfaSchema:schema>${schema}</pdfaSchema:schema>` +
  `<pdfaSchema:namespaceURI>${namespace}</pdfaSchema:namespaceURI><pdfaSchema:prefix>${prefix}</pdfaSchema:prefix>` +
  `<pdfaSchema:property><rdf:Seq>${properties
    .map(
      ({ name, valueType, description, category = 'external' }) =>
        `<rdf:li rdf:parseType="Resource"><pdfaProperty:name>${name}</pdfaProperty:name>` +
        `<pdfaProperty:valueType>${valueType}</pdfaProperty:valueType><pdfaProperty:category>${category}</pdfaProperty:category>` +
        `<pdfaProperty:description>${description}</pdfaProperty:description></rdf:li>`,
    )
    .join('')}</rdf:Seq></pdfaSchema:property></rdf:li>`;

const UA = 'http://www.aiim.org/pdfua/ns/id/';
const FACTUR_X = 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#';

/** ISO 14289-1, clause 5. */
export const PDF_UA_SCHEMA = describe('PDF/UA Universal Accessibility Schema', UA, 'pdfuaid', [
  {
    name: 'part',
    valueType: 'Integer',
    description: 'Part of ISO 14289 to which the document conforms',
    category: 'internal',
  },
]);
export const PDF_UA_PROPERTIES = `<rdf:Description rdf:about="" xmlns:pdfuaid="${UA}"><pdfuaid:part>1</pdfuaid:part></rdf:Description>`;

/** Factur-X 1.0, 6.2. */
export const FACTUR_X_SCHEMA = describe('Factur-X PDFA Extension Schema', FACTUR_X, 'fx', [
  { name: 'DocumentFileName', valueType: 'Text', description: 'Name of the embedded XML invoice file' },
  { name: 'DocumentType', valueType: 'Text', description: 'INVOICE' },
  { name: 'Version', valueType: 'Text', description: 'Version of the Factur-X XML schema' },
  { name: 'ConformanceLevel', valueType: 'Text', description: 'Conformance level of the embedded Factur-X data' },
]);
export const facturXProperties = (fileName: string): string =>
  `<rdf:Description rdf:about="" xmlns:fx="${FACTUR_X}"><fx:DocumentType>INVOICE</fx:DocumentType>` +
  `<fx:DocumentFileName>${fileName}</fx:DocumentFileName><fx:Version>1.0</fx:Version>` +
  `<fx:ConformanceLevel>EN 16931</fx:ConformanceLevel></rdf:Description>`;

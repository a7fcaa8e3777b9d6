import { routeTable } from '../routes/route-table';
import { streams } from '../streams/stream';
import { openapiDocument } from './openapi-document';

// Where the document is published; clients set their own base address.
const PUBLIC_URL = 'https://invoicing.test';

/** The document as text, for the tools that lint it and generate clients from it. */
export const printDocument = (): string => JSON.stringify(openapiDocument(routeTable, streams, PUBLIC_URL), null, 2);

const leftOut = 'the Node.js driver leaves bypassDocumentValidation out when it is false';
const nullId = 'the Node.js driver gives a document whose _id is null an _id of its own';
const partial = 'the Node.js driver always gives a partial result, of zeros when nothing was done';
const insertedIds = 'the Node.js driver lists the ids of a batch that failed as a whole';

/** Cases that no server can pass with the driver that runs them, by suite and name, each with what the driver does. */
export const driverDifferences: Readonly<Record<string, string>> = {
  'crud/bypassDocumentValidation: Aggregate with $out passes bypassDocumentValidation: false': leftOut,
  'crud/bypassDocumentValidation: BulkWrite passes bypassDocumentValidation: false': leftOut,
  'crud/bypassDocumentValidation: FindOneAndReplace passes bypassDocumentValidation: false': leftOut,
  'crud/bypassDocumentValidation: FindOneAndUpdate passes bypassDocumentValidation: false': leftOut,
  'crud/bypassDocumentValidation: InsertMany passes bypassDocumentValidation: false': leftOut,
  'crud/create-null-ids: inserting _id with type null via insertOne': nullId,
  'crud/create-null-ids: inserting _id with type null via insertMany': nullId,
  'crud/create-null-ids: inserting _id with type null via bulkWrite': nullId,
  'crud/create-null-ids: inserting _id with type null via clientBulkWrite': nullId,
  'crud/client-bulkWrite-partialResults: partialResult is unset when first operation fails during an ordered bulk write (verbose)':
    partial,
  'crud/client-bulkWrite-partialResults: partialResult is unset when first operation fails during an ordered bulk write (summary)':
    partial,
  'crud/client-bulkWrite-partialResults: partialResult is unset when all operations fail during an unordered bulk write':
    partial,
  'retryable writes/bulkWrite: First insertOne is never committed': insertedIds,
};

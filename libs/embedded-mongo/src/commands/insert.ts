import { CommandError } from '../command-error';
import { readDocument } from '../bson/read-document';
import { type Doc } from '../bson/value';
import { checkNamespace } from '../storage/catalog';
import { DocumentWriter } from '../storage/document-writer';
import { boolField, collectionName, type Command, write } from './command';
import { maxWriteBatch, writeError } from './write-errors';

/** `insert`. */
export function insertCommand(command: Command): Promise<Doc> {
  const { db, body, documents } = command;
  const name = collectionName(command);
  checkNamespace(db, name);
  if (!documents)
    throw new CommandError('Location40414', "BSON field 'insert.documents' is missing but a required field");
  if (documents.length === 0 || documents.length > maxWriteBatch) {
    throw new CommandError(
      'InvalidLength',
      `Write batch sizes must be between 1 and ${maxWriteBatch}. Got ${documents.length} operations.`,
    );
  }
  const ordered = boolField(body, 'ordered', true);
  const bypass = boolField(body, 'bypassDocumentValidation');
  const decoded = documents.map((bytes) => ({ bytes, doc: readDocument(bytes) }));
  return write(command, (transaction): Doc => {
    const collection = transaction.collection(db, name) ?? transaction.createCollection(db, name);
    const writer = new DocumentWriter(transaction, collection, bypass);
    const errors: Doc[] = [];
    let n = 0;
    for (const [index, { doc, bytes }] of decoded.entries()) {
      const mark = transaction.mark();
      const before = writer.collection;
      try {
        writer.insert(doc, bytes);
        n++;
      } catch (error) {
        transaction.rollback(mark);
        writer.collection = before;
        errors.push(writeError(index, error));
        if (ordered) break;
      }
    }
    return errors.length > 0 ? { n, writeErrors: errors } : { n };
  });
}

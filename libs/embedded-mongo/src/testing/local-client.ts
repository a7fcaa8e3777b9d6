import { dispatch } from '../commands/dispatch';
import { readDocument } from '../bson/read-document';
import { type Doc } from '../bson/value';
import { writeDocument } from '../bson/write-document';
import { type Engine } from '../engine';
import { CursorReply } from '../wire/message';

/** Runs commands on an engine without a socket between. */
export class LocalClient {
  constructor(readonly engine: Engine) {}

  async command(body: Doc): Promise<Doc> {
    const { documents, ...rest } = body;
    const raw = (documents as Doc[] | undefined)?.map(writeDocument);
    const command = readDocument(writeDocument({ ...rest, $db: 'test' }));
    const reply = await dispatch(this.engine, { body: command, documents: raw }, 1);
    return reply instanceof CursorReply
      ? { id: reply.id, documents: reply.batch.map((bytes) => readDocument(bytes)) }
      : reply;
  }

  async find(collection: string, filter: Doc, options: Doc = {}): Promise<Doc[]> {
    const reply = await this.command({ find: collection, filter, ...options, batchSize: 100_000 });
    return reply.documents as Doc[];
  }
}

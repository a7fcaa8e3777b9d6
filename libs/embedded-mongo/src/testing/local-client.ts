import { dispatch } from '../commands/dispatch';
import { readDocument } from '../bson/read-document';
import { type Doc } from '../bson/value';
import { writeDocument } from '../bson/write-document';
import { type Engine } from '../engine';
import { type Peer } from '../wire/peer';
import { CursorReply } from '../wire/message';

const peer: Peer = { id: 1, address: '127.0.0.1:27017', closed: new AbortController().signal };

/** Runs commands on an engine without a socket between. */
export class LocalClient {
  constructor(readonly engine: Engine) {}

  async command(body: Doc): Promise<Doc> {
    const { documents, ...rest } = body;
    const raw = (documents as Doc[] | undefined)?.map(writeDocument);
    const command = readDocument(writeDocument({ ...rest, $db: 'test' }));
    const reply = await dispatch(this.engine, { body: command, documents: raw }, peer);
    return reply instanceof CursorReply
      ? { id: reply.id, documents: reply.batch.map((bytes) => readDocument(bytes)) }
      : reply;
  }

  async find(collection: string, filter: Doc, options: Doc = {}): Promise<Doc[]> {
    const reply = await this.command({ find: collection, filter, ...options, batchSize: 100_000 });
    return reply.documents as Doc[];
  }
}

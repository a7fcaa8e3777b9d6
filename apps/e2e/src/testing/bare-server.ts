import { fork, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
// eslint-disable-next-line no-restricted-imports -- The comparator is the bare driver.
import { MongoClient, type Document } from 'mongodb';

export interface BareJob {
  readonly mongodbUri: string;
  readonly organizationId: string;
  /** What `/bytes` answers: a document of ours as it is sent, in base64. */
  readonly bytes: string;
}

export interface BareServer {
  readonly port: number;
  readonly close: () => void;
}

/** The comparators of the whole platform, in a process of their own: bare node:http and the native driver on the same store. */
export async function startBareServer(job: BareJob, dataDir: string): Promise<BareServer> {
  const child: ChildProcess = fork(process.argv[1]!, {
    env: { ...process.env, BENCH_BARE: JSON.stringify(job), DATA_DIR: dataDir },
  });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return { port, close: () => child.kill() };
}

const LISTED = {
  number: 1,
  kind: 1,
  customerId: 1,
  publicToken: 1,
  issueDate: 1,
  'totals.inclCents': 1,
  createdAt: 1,
};

/** The comparator's process. `/list`: one indexed find of 50; `/insert`: one durable insert; `/bytes`: what was made before. */
export async function becomeBareServer({ mongodbUri, organizationId, bytes }: BareJob): Promise<never> {
  const client = await MongoClient.connect(mongodbUri);
  const invoices = client.db('billing').collection('invoices');
  const inserted = client.db('bench').collection<{ _id: string }>('inserted');
  const made = Buffer.from(bytes, 'base64');
  const document = { ...(await invoices.findOne({ organizationId })), _id: undefined } as Document;
  const ways: Record<string, () => Promise<Buffer | object>> = {
    '/list': () =>
      invoices.find({ organizationId }, { projection: LISTED }).sort({ createdAt: -1, _id: -1 }).limit(50).toArray(),
    '/insert': () =>
      inserted.insertOne({ ...document, _id: randomUUID() }, { writeConcern: { w: 'majority', journal: true } }),
    '/bytes': () => Promise.resolve(made),
  };
  const send = (response: ServerResponse, data: Buffer | object): void => {
    const body = Buffer.isBuffer(data) ? data : Buffer.from(JSON.stringify({ data }));
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
  };
  const server = createServer((request, response) => {
    request.resume();
    ways[request.url!]!().then(
      (data) => send(response, data),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
  return new Promise<never>(() => undefined);
}

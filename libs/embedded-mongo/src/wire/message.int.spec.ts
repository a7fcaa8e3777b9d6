import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readDocument } from '../bson/read-document';
import { type Doc } from '../bson/value';
import { writeDocument } from '../bson/write-document';
import { startEmbeddedMongo, type EmbeddedMongo } from '../index';

describe('the wire', () => {
  let folder: string;
  let server: EmbeddedMongo;
  let socket: Socket;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'embedded-mongo-'));
    server = await startEmbeddedMongo({ folder });
  });
  afterAll(async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    socket = connect(Number(new URL(server.uri).port), '127.0.0.1');
    await once(socket, 'connect');
  });
  afterEach(() => void socket.destroy());

  const framed = (opCode: number, body: Buffer): Buffer => {
    const head = Buffer.alloc(16);
    head.writeInt32LE(16 + body.length, 0);
    head.writeInt32LE(7, 4);
    head.writeInt32LE(opCode, 12);
    return Buffer.concat([head, body]);
  };
  const int32 = (value: number): Buffer => {
    const bytes = Buffer.alloc(4);
    bytes.writeInt32LE(value);
    return bytes;
  };
  const section = (doc: Doc): Buffer => Buffer.concat([Buffer.from([0]), writeDocument(doc)]);
  const sequence = (name: string, docs: Doc[]): Buffer => {
    const content = Buffer.concat([Buffer.from(`${name}\0`), ...docs.map(writeDocument)]);
    return Buffer.concat([Buffer.from([1]), int32(content.length + 4), content]);
  };
  const message = (flags: number, ...sections: Buffer[]): Buffer =>
    framed(2013, Buffer.concat([int32(flags), ...sections]));

  /** The next reply: what it answers, and its document. */
  async function reply(): Promise<{ to: number; opCode: number; doc: Doc }> {
    let bytes = Buffer.alloc(0);
    while (bytes.length < 16 || bytes.length < bytes.readInt32LE(0)) {
      const [chunk] = (await once(socket, 'data')) as [Buffer];
      bytes = Buffer.concat([bytes, chunk]);
    }
    const opCode = bytes.readInt32LE(12);
    return { to: bytes.readInt32LE(8), opCode, doc: readDocument(bytes, opCode === 1 ? 36 : 21) };
  }

  it('takes a message that comes byte by byte, and two that come at once', async () => {
    const ping = message(0, section({ ping: 1, $db: 'admin' }));
    for (const byte of ping) {
      socket.write(Buffer.from([byte]));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await reply()).doc).toMatchObject({});
    socket.write(Buffer.concat([message(0, section({ hello: 1, $db: 'admin' })), ping]));
    expect((await reply()).doc.isWritablePrimary).toBe(true);
  });

  it('answers the legacy hello in kind', async () => {
    const query = Buffer.concat([
      int32(0),
      Buffer.from('admin.$cmd\0'),
      int32(0),
      int32(-1),
      writeDocument({ isMaster: 1 }),
    ]);
    socket.write(framed(2004, query));
    const { opCode, to, doc } = await reply();
    expect({ opCode, to }).toEqual({ opCode: 1, to: 7 });
    expect(doc).toMatchObject({ ismaster: true, helloOk: true });
  });

  it('takes documents in a section of their own, after or before the body', async () => {
    const body = section({ insert: 'wire', $db: 'test' });
    socket.write(message(0, sequence('documents', [{ _id: 1 }, { _id: 2 }]), body));
    expect((await reply()).doc.n).toBe(2);
    socket.write(
      message(
        0,
        section({ update: 'wire', $db: 'test' }),
        sequence('updates', [{ q: { _id: 1 }, u: { $set: { a: 1 } } }]),
      ),
    );
    expect((await reply()).doc.nModified).toBe(1);
  });

  it('does not answer what wants no answer', async () => {
    socket.write(
      message(
        2,
        section({ insert: 'quiet', $db: 'test', writeConcern: { w: 0 } }),
        sequence('documents', [{ _id: 1 }]),
      ),
    );
    socket.write(message(0, section({ count: 'quiet', $db: 'test' })));
    expect((await reply()).doc.n).toBe(1);
  });

  it.each([
    ['a checksum', () => message(1, section({ ping: 1, $db: 'admin' }), Buffer.alloc(4)), 17],
    ['an unknown flag', () => message(4, section({ ping: 1, $db: 'admin' })), 17],
    ['an unknown section', () => message(0, Buffer.concat([Buffer.from([5]), writeDocument({})])), 17],
    ['no body', () => message(0, sequence('documents', [{}])), 17],
    [
      'a section longer than the message',
      () => message(0, Buffer.concat([Buffer.from([0]), int32(1000), Buffer.alloc(8)])),
      22,
    ],
    [
      'damaged BSON',
      () => message(0, Buffer.concat([Buffer.from([0]), int32(12), Buffer.from([0x63, 0x61, 0, 1, 2, 3, 4, 0])])),
      22,
    ],
    ['another operation', () => framed(2002, Buffer.alloc(8)), 17],
  ])('refuses %s and hangs up', async (_what, bytes, code) => {
    socket.write(bytes());
    expect((await reply()).doc).toMatchObject({ ok: expect.anything(), code });
    await once(socket, 'close');
  });

  it('hangs up on a length that cannot be, and serves others on', async () => {
    socket.write(int32(2_000_000_000));
    socket.write(Buffer.alloc(12));
    await once(socket, 'close');
    socket = connect(Number(new URL(server.uri).port), '127.0.0.1');
    socket.write(message(0, section({ ping: 1, $db: 'admin' })));
    expect((await reply()).to).toBe(7);
  });
});

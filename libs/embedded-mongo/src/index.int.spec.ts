import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { startEmbeddedMongo } from './index';

describe('startEmbeddedMongo', () => {
  let folder: string;

  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'embedded-mongo-'))));
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('serves mongoose, and has what was written when it is opened again', async () => {
    const first = await startEmbeddedMongo({ folder });
    const connection = await mongoose.createConnection(first.uri, { dbName: 'shop' }).asPromise();
    const schema = new mongoose.Schema({ name: String, price: Number });
    schema.index({ name: 1 }, { unique: true });
    const Product = connection.model('Product', schema);
    await Product.init();
    await Product.create({ name: 'pen', price: 100 });
    await expect(Product.create({ name: 'pen', price: 200 })).rejects.toMatchObject({
      code: 11000,
      keyValue: { name: 'pen' },
    });
    await connection.close();
    await first.close();

    const second = await startEmbeddedMongo({ folder });
    const again = await mongoose.createConnection(second.uri, { dbName: 'shop' }).asPromise();
    expect(await again.model('Product', schema).findOne({ name: 'pen' }).lean()).toMatchObject({ price: 100 });
    await again.close();
    await second.close();
  });

  it('tells a second opener that the folder is taken', async () => {
    const owner = await startEmbeddedMongo({ folder });
    await expect(startEmbeddedMongo({ folder })).rejects.toThrow(/already open/);
    await owner.close();
    await (await startEmbeddedMongo({ folder })).close();
  });

  it('listens on a unix socket', async () => {
    const server = await startEmbeddedMongo({ folder, socketPath: join(folder, 'mongo.sock') });
    const connection = await mongoose.createConnection(server.uri).asPromise();
    expect(await connection.db!.command({ ping: 1 })).toMatchObject({ ok: 1 });
    await connection.close();
    await server.close();
  });
});

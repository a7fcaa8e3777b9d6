import { Schema, type Connection, type Model } from 'mongoose';
import { type ProductDetails } from './product';
import { newestFirstIndex, type CatalogRecord } from '../record-store';

export type ProductRecord = CatalogRecord<ProductDetails>;

const details = { _id: false, name: String, unitPriceCents: Number, vatRateBps: Number, unit: String, sku: String };

const schema = new Schema<ProductRecord>(
  { _id: String, organizationId: String, details, createdAt: Date, updatedAt: Date },
  { collection: 'products', versionKey: false, strict: 'throw', autoCreate: false },
).index(newestFirstIndex);

export async function openProductStore(connection: Connection): Promise<Model<ProductRecord>> {
  const model = connection.model<ProductRecord>('Product', schema);
  await model.createIndexes();
  return model;
}

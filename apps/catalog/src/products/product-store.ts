import { declareCollection, embedded, openCollection, required, type Connection, type Model } from '@invoicing/mongo';
import { type ProductDetails } from './product';
import { newestFirstIndex, recordFields, type CatalogRecord } from '../record-store';

export type ProductRecord = CatalogRecord<ProductDetails>;

export const productCollection = declareCollection<ProductRecord>('products', {
  shardKey: { organizationId: 1, _id: 1 },
  fields: {
    ...recordFields,
    details: required(
      embedded<ProductDetails>({
        name: required(String),
        unitPriceCents: required(Number),
        vatRateBps: Number,
        unit: String,
        sku: String,
      }),
    ),
  },
  indexes: [[newestFirstIndex]],
});

export const openProductStore = (connection: Connection): Promise<Model<ProductRecord>> =>
  openCollection(connection, productCollection);

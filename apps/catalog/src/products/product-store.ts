import {
  declareCollection,
  embedded,
  openCollection,
  pendingChangeIndex,
  required,
  type Connection,
  type History,
  type Model,
} from '@invoicing/mongo';
import { type ProductDetails } from './product';
import { newestFirstIndex, recordFields, recordStore, type CatalogRecord, type RecordStore } from '../record-store';

export type ProductRecord = CatalogRecord<ProductDetails>;

const productCollection = declareCollection<ProductRecord>('products', {
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
  indexes: [[newestFirstIndex], pendingChangeIndex],
});

export const openProducts = (connection: Connection): Promise<Model<ProductRecord>> =>
  openCollection(connection, productCollection);

export const productStore = (products: Model<ProductRecord>, history: History): RecordStore<ProductRecord> =>
  recordStore(products, history, { kind: 'product', searched: ['name', 'sku'] });

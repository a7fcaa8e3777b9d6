import { Type } from '@sinclair/typebox';
import { cents, object, optionalLine, orNull, singleLine, timestamp, uuid } from './fields';

const name = singleLine(200, 'Name of the product.', 'Consultancy');
const unitPriceCents = cents('Price per unit in cents, excluding VAT.', 10_000);
const vatRateBps = Type.Integer({
  minimum: 0,
  maximum: 10_000,
  description:
    'VAT rate in basis points; 2100 is 21 %. 2100, 900 and 0 give a line its `vatTreatment`; with any other rate the line names its own.',
  examples: [2100],
});
const unit = optionalLine(50, 'What one unit is.', 'uur');
const sku = optionalLine(100, 'Stock keeping unit.', 'CONS-1');

export const productInput = object(
  'ProductInput',
  {
    name,
    unitPriceCents,
    vatRateBps: Type.Optional(vatRateBps),
    unit: Type.Optional(unit),
    sku: Type.Optional(sku),
  },
  'A product to create.',
);

export const product = object(
  'Product',
  {
    id: uuid('Id of the product.'),
    name,
    unitPriceCents,
    vatRateBps: orNull(vatRateBps),
    unit: orNull(unit),
    sku: orNull(sku),
    createdAt: timestamp('When it was created.'),
    updatedAt: timestamp('When it last changed.'),
  },
  'A product; null where a field was left out.',
);

import { Type } from '@sinclair/typebox';
import { object } from './fields';

const warning = object(
  'Warning',
  {
    code: Type.String({
      description:
        'Stable: `intra_community_not_possible`, `reverse_charge_to_private_person`, `vat_without_vat_id`, `missing_address`, ' +
        '`not_a_kvk_number`, `peppol_not_sent`, `peppol_delayed`. There may be more in time.',
      examples: ['missing_address'],
    }),
    message: Type.String({
      description: 'A sentence for people.',
      examples: ['an invoice to a business shows its address: city is missing'],
    }),
    field: Type.String({ description: 'JSON Pointer into the request.', examples: ['/customerId'] }),
  },
  'Something that was done as it was asked, and that is worth a look.',
);

/** Beside `data`; absent when there is nothing to say. */
export const warnings = Type.Array(warning, {
  description:
    'What is worth a look, though it was done; absent when there is nothing. An organisation that is strict about VAT treatments is ' +
    'refused those instead (400).',
  // Absent from what is answered when all is well.
  examples: [],
});

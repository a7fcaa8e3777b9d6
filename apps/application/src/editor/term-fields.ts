import type { FieldBlock } from '../pages/blocks';
import type { Workplace } from '../pages/visit';

/** A field of an editor, by its name: what was typed, and what is wrong with it, come with it. */
export type MakeField<N extends string> = (name: N, label: string, more: Partial<FieldBlock>) => FieldBlock;

/** In whose name it is; who has one profile is not asked. */
export const profileFields = ({ t, organization }: Workplace, field: MakeField<'profileId'>): readonly FieldBlock[] =>
  organization.profiles.length > 1
    ? [
        field('profileId', t.profile, {
          required: true,
          options: organization.profiles.map(({ id, name }) => ({ value: id, label: name })),
        }),
      ]
    : [];

/** Whether the prices of the lines include VAT. */
export const pricesField = ({ t }: Workplace, field: MakeField<'pricesIncludeVat'>): FieldBlock =>
  field('pricesIncludeVat', t.pricesAre, {
    required: true,
    options: [
      { value: '', label: t.pricesExclude },
      { value: 'yes', label: t.pricesInclude },
    ],
  });

/** What the customer reads beside the lines. */
export const wordFields = ({ t }: Workplace, field: MakeField<'reference' | 'note'>): readonly FieldBlock[] => [
  field('reference', t.buyerReference, { maxLength: 100, hint: t.buyerReferenceHint }),
  field('note', t.note, { rows: 3, maxLength: 2_000 }),
];

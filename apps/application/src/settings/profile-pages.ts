import type { Profile, ProfilePreview } from '@invoicing/contracts/invoicing/billing/v1/organizations';
import { plain, type FieldBlock, type PageBlock, type SectionBlock } from '../pages/blocks';
import { faultList, type Faults } from '../pages/form-request';
import type { Workplace } from '../pages/visit';

/** A profile as it stands in the form. */
export interface ProfileForm {
  readonly name: string;
  readonly accentColor: string;
  readonly footer: string;
  readonly numberFormat: string;
  readonly startNumber: string;
}

interface Shown {
  readonly form: ProfileForm;
  readonly faults: Faults;
  readonly preview: ProfilePreview | undefined;
  readonly hidden: Readonly<Record<string, string>>;
  /** Absent: a new one. */
  readonly profile?: Profile;
}

export function profilePage(place: Workplace, { form, faults, preview, hidden, profile }: Shown): PageBlock {
  const { t, at } = place;
  const here = at(`settings/profiles/${profile?.id ?? 'new'}`);
  return {
    title: profile ? profile.name : t.newProfile,
    intro: t.profileIntro,
    back: { label: t.settings, href: at('settings') },
    notice: faults.notice,
    faults: faultList(faults),
    sections: [
      {
        forms: [
          {
            action: here,
            submit: t.save,
            cancel: at('settings'),
            hasFile: true,
            liveUrl: `${here}/preview`,
            hidden,
            fields: fields(place, form, profile).map((field) => ({ ...field, fault: faults.fields[field.name] })),
          },
        ],
      },
      previewSection(place, preview),
    ],
  };
}

function fields({ t }: Workplace, form: ProfileForm, profile: Profile | undefined): readonly FieldBlock[] {
  return [
    { name: 'name', label: t.name, value: form.name, required: true, maxLength: 200, autocomplete: 'off' },
    { name: 'accentColor', label: t.accentColor, type: 'color', value: form.accentColor, required: true },
    {
      name: 'logo',
      label: t.logo,
      type: 'file',
      value: '',
      accept: 'image/png,image/jpeg',
      hint: profile?.hasLogo ? t.logoThere : t.logoHint,
    },
    ...(profile?.hasLogo
      ? [
          {
            name: 'removeLogo',
            label: t.logo,
            value: '',
            choices: [{ value: 'yes', label: t.removeLogo, isChosen: false }],
          },
        ]
      : []),
    { name: 'footer', label: t.footer, value: form.footer, rows: 2, maxLength: 500, hint: t.footerHint },
    {
      name: 'numberFormat',
      label: t.numberFormat,
      value: form.numberFormat,
      maxLength: 40,
      autocomplete: 'off',
      hint: t.numberFormatHint,
    },
    ...(profile
      ? [
          {
            name: 'startNumber',
            label: t.startNumber,
            value: form.startNumber,
            inputMode: 'numeric' as const,
            maxLength: 9,
            hint: t.startNumberHint,
          },
        ]
      : []),
  ];
}

/** What documents and numbers would look like. */
export function previewSection({ t }: Workplace, preview: ProfilePreview | undefined): SectionBlock {
  if (!preview) return { title: t.preview, text: t.noPreview, isLive: true };
  const [first = '', second = '', credit = '', next = ''] = preview.numbers;
  const sheet = Buffer.from(preview.sheet);
  const [, width = '595', height = '842'] =
    /viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(sheet.toString('utf8', 0, 500)) ?? [];
  return {
    title: t.preview,
    isLive: true,
    facts: [
      [t.numbers, plain(`${first}, ${second} …`)],
      [t.stateCredit, plain(credit)],
      [t.nextYear, plain(next)],
    ],
    picture: {
      source: `data:image/svg+xml;base64,${sheet.toString('base64')}`,
      alt: t.previewAlt,
      width: Math.round(Number(width)),
      height: Math.round(Number(height)),
    },
  };
}

import { UpdateOrganizationRequest } from '@invoicing/contracts/invoicing/billing/v1/organizations';
import { validationError } from '@invoicing/errors';
import type { FieldBlock, PageBlock } from '../pages/blocks';
import { countryOptions } from '../pages/countries';
import { faultList, fieldOf, noFaults, submit, type Faults } from '../pages/form-request';
import type { Texts } from '../pages/texts';
import { show, type Workplace } from '../pages/visit';
import type { AddPart, Handler } from '../pages/workplace-routes';
import type { Peers } from '../peers-client';

const DETAILS = [
  'name',
  'addressLine1',
  'postalCode',
  'city',
  'countryCode',
  'kvkNumber',
  'btwId',
  'iban',
  'bic',
  'email',
  'phone',
  'timezone',
  'vatExemptionReason',
] as const;
const POLICY = ['closedUntil', 'daysBack', 'daysAhead'] as const;

type Values = Readonly<Record<string, string>>;

/** One form about the organisation: which fields it has, and what becomes of them. */
interface Editor {
  readonly path: string;
  readonly title: keyof Texts;
  readonly intro: keyof Texts;
  readonly names: readonly string[];
  readonly current: (place: Workplace) => Values;
  readonly fields: (place: Workplace, values: Values) => readonly FieldBlock[];
  readonly change: (values: Values) => Partial<UpdateOrganizationRequest>;
}

/** The organisation's own data, and which days are closed. */
export const organizationRoutes =
  (peers: Peers): AddPart =>
  (part) => {
    for (const editor of [details, period]) {
      part.get(
        editor.path,
        (place, _request, response) => {
          const revision = String(place.organization.revision);
          show(response, place, formPage(editor, place, editor.current(place), noFaults, revision));
        },
        'settings.write',
      );
      part.post(editor.path, save(peers, editor), 'settings.write');
    }
  };

const save =
  (peers: Peers, editor: Editor): Handler =>
  (place, request, response) => {
    const { organizationId, at } = place;
    const revision = fieldOf(request, 'revision');
    const values = Object.fromEntries(editor.names.map((name) => [name, fieldOf(request, name)]));
    return submit(
      place,
      response,
      async () => {
        await peers.organizations.updateOrganization(
          UpdateOrganizationRequest.fromPartial({
            organizationId,
            ...editor.change(values),
            revision: /^\d+$/.test(revision) ? Number(revision) : undefined,
          }),
          place.call(),
        );
        return `${at('settings')}?done=yes`;
      },
      (faults) => show(response, place, formPage(editor, place, values, faults, revision), response.statusCode),
    );
  };

const details: Editor = {
  path: '/settings/organization',
  title: 'organization',
  intro: 'organizationIntro',
  names: DETAILS,
  current: ({ organization }) => Object.fromEntries(DETAILS.map((name) => [name, organization.details?.[name] ?? ''])),
  fields: ({ t, language }, values) => {
    const field = (name: (typeof DETAILS)[number], label: string, more: Partial<FieldBlock> = {}): FieldBlock => ({
      name,
      label,
      value: values[name] ?? '',
      autocomplete: 'off',
      maxLength: 200,
      ...more,
    });
    return [
      field('name', t.legalName, { required: true, autocomplete: 'organization' }),
      field('addressLine1', t.street, { autocomplete: 'address-line1' }),
      field('postalCode', t.postalCode, { maxLength: 20, autocomplete: 'postal-code' }),
      field('city', t.city, { maxLength: 100, autocomplete: 'address-level2' }),
      field('countryCode', t.country, { options: countryOptions(language, t.none), required: true }),
      field('kvkNumber', t.kvkNumber, { maxLength: 20 }),
      field('btwId', t.btwId, { maxLength: 20 }),
      field('iban', t.iban, { maxLength: 42, hint: t.ibanHint }),
      field('bic', t.bic, { maxLength: 11 }),
      field('email', t.email, { type: 'email', inputMode: 'email', maxLength: 254, hint: t.replyHint }),
      field('phone', t.phone, { maxLength: 50, autocomplete: 'tel' }),
      field('timezone', t.timezone, { required: true, maxLength: 50, hint: t.timezoneHint }),
      field('vatExemptionReason', t.vatExemptionReason, { rows: 2, maxLength: 500, hint: t.vatExemptionHint }),
    ];
  },
  // What is empty is cleared, but for what every organisation has.
  change: (values) => ({
    details: Object.fromEntries(
      DETAILS.flatMap((name) =>
        ['countryCode', 'timezone'].includes(name) && values[name] === '' ? [] : [[name, values[name]]],
      ),
    ),
  }),
};

const period: Editor = {
  path: '/settings/period',
  title: 'closedPeriod',
  intro: 'closedPeriodText',
  names: POLICY,
  current: ({ organization: { issuePolicy } }) => ({
    closedUntil: issuePolicy?.closedUntil ?? '',
    daysBack: String(issuePolicy?.daysBack ?? ''),
    daysAhead: String(issuePolicy?.daysAhead ?? ''),
  }),
  fields: ({ t }, values) => [
    {
      name: 'closedUntil',
      label: t.closedUntil,
      type: 'date',
      value: values['closedUntil'] ?? '',
      hint: t.closedUntilHint,
    },
    {
      name: 'daysBack',
      label: t.daysBack,
      value: values['daysBack'] ?? '',
      required: true,
      inputMode: 'numeric',
      maxLength: 4,
    },
    {
      name: 'daysAhead',
      label: t.daysAhead,
      value: values['daysAhead'] ?? '',
      required: true,
      inputMode: 'numeric',
      maxLength: 4,
    },
  ],
  change: ({ closedUntil = '', daysBack = '', daysAhead = '' }) => ({
    issuePolicy: { closedUntil, daysBack: days('daysBack', daysBack), daysAhead: days('daysAhead', daysAhead) },
  }),
};

function days(name: string, text: string): number {
  if (/^\d{1,4}$/.test(text)) return Number(text);
  throw validationError([{ path: `/${name}`, message: 'must be a whole number from 0 to 3660' }]);
}

function formPage(editor: Editor, place: Workplace, values: Values, faults: Faults, revision: string): PageBlock {
  const { t, at } = place;
  return {
    title: t[editor.title],
    intro: t[editor.intro],
    back: { label: t.settings, href: at('settings') },
    notice: faults.notice,
    faults: faultList(faults),
    isNarrow: true,
    sections: [
      {
        forms: [
          {
            action: at(editor.path.slice(1)),
            submit: t.save,
            cancel: at('settings'),
            hidden: { revision },
            fields: editor.fields(place, values).map((field) => ({ ...field, fault: faults.fields[field.name] })),
          },
        ],
      },
    ],
  };
}

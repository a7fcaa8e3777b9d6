import type { Request } from 'express';
import { SetReminderPlanRequest, type ReminderPlan } from '@invoicing/contracts/invoicing/billing/v1/reminders';
import { validationError } from '@invoicing/errors';
import { isUuid } from '@invoicing/rules';
import type { FieldBlock, PageBlock } from '../pages/blocks';
import { faultList, fieldOf, noFaults, submit, type Faults } from '../pages/form-request';
import { documentLanguages } from '../invoices/draft-view';
import { fill } from '../pages/texts';
import { show, type Workplace } from '../pages/visit';
import type { AddPart, Part } from '../pages/workplace-routes';
import type { Peers } from '../peers-client';

const ACTION = 'settings.write';
/** The form has so many; a plan may have ten. */
const STEPS = 5;
const LANGUAGES = ['nl', 'en', 'de', 'fr'] as const;

/** When, and by which words, an organisation or one of its profiles reminds. */
export const planRoutes =
  (peers: Peers): AddPart =>
  (part) => {
    changePlan(peers, part);
    changeTexts(peers, part);
  };

/** What the form says, as it was typed. */
interface PlanForm {
  readonly enabled: string;
  readonly days: readonly string[];
  /** The step from which on costs are asked for; empty: never. */
  readonly costsFrom: string;
  readonly interestFrom: string;
  /** The step from which on it goes by letter; empty: never. */
  readonly postFrom: string;
}

/** The profile that an address or a form names; undefined: the organisation's own plan. */
const profileOf = (named: unknown): string | undefined =>
  typeof named === 'string' && isUuid(named) ? named : undefined;

function changePlan({ reminders }: Peers, part: Part): void {
  part.get(
    '/reminders/plan',
    async (place, { query }, response) => {
      const profileId = profileOf(query['profile']);
      const plan = await reminders.getReminderPlan({ organizationId: place.organizationId, profileId }, place.call());
      show(response, place, planPage(place, plan, formOf(plan), profileId, noFaults));
    },
    ACTION,
  );

  part.post(
    '/reminders/plan',
    async (place, request, response) => {
      const { organizationId, at, call } = place;
      const profileId = profileOf(fieldOf(request, 'profile'));
      const plan = await reminders.getReminderPlan({ organizationId, profileId }, call());
      const form = typedPlan(request);
      return submit(
        place,
        response,
        async () => {
          const asked = { organizationId, profileId, ...planOf(form, plan) };
          await reminders.setReminderPlan(SetReminderPlanRequest.fromPartial(asked), call());
          return `${at('reminders')}?done=yes`;
        },
        (faults) => show(response, place, planPage(place, plan, form, profileId, atDays(faults)), response.statusCode),
      );
    },
    ACTION,
  );
}

/** The words of one step, in each language. */
function changeTexts({ reminders }: Peers, part: Part): void {
  const asked = (place: Workplace, named: unknown, step: unknown) => {
    const profileId = profileOf(named);
    const at = Number(step) - 1;
    return {
      at,
      find: () => reminders.getReminderPlan({ organizationId: place.organizationId, profileId }, place.call()),
      profileId,
    };
  };
  part.get(
    '/reminders/texts',
    async (place, { query }, response) => {
      const { at, find, profileId } = asked(place, query['profile'], query['step']);
      show(response, place, textsPage(place, stepOf(await find(), at), { at, profileId, faults: noFaults }));
    },
    ACTION,
  );

  part.post(
    '/reminders/texts',
    async (place, request, response) => {
      const { at, find, profileId } = asked(place, fieldOf(request, 'profile'), fieldOf(request, 'step'));
      const plan = await find();
      const texts = LANGUAGES.map((language) => ({ language, text: fieldOf(request, language) })).filter(
        ({ text }) => text !== '',
      );
      const step = { ...stepOf(plan, at), texts };
      return submit(
        place,
        response,
        async () => {
          const steps = plan.steps.map((each, index) => (index === at ? step : each));
          await reminders.setReminderPlan(SetReminderPlanRequest.fromPartial({ ...plan, steps }), place.call());
          return planAddress(place, profileId);
        },
        (faults) => show(response, place, textsPage(place, step, { at, profileId, faults }), response.statusCode),
      );
    },
    ACTION,
  );
}

function stepOf({ steps }: ReminderPlan, at: number): ReminderPlan['steps'][number] {
  const step = steps[at];
  if (!step) throw validationError([{ path: '/step', message: 'is none of the plan' }]);
  return step;
}

const planAddress = ({ at }: Workplace, profileId: string | undefined): string =>
  `${at('reminders/plan')}${profileId === undefined ? '' : `?profile=${profileId}`}`;

function formOf({ enabled, steps }: ReminderPlan): PlanForm {
  const from = (has: (step: ReminderPlan['steps'][number]) => boolean): string => {
    const at = steps.findIndex(has);
    return at === -1 ? '' : String(at + 1);
  };
  return {
    enabled: enabled ? 'yes' : '',
    days: steps.map(({ afterDays }) => String(afterDays)),
    costsFrom: from(({ costs }) => costs),
    interestFrom: from(({ interest }) => interest),
    postFrom: from(({ channel }) => channel === 'post'),
  };
}

const typedPlan = (request: Request): PlanForm => ({
  enabled: fieldOf(request, 'enabled'),
  days: Array.from({ length: STEPS }, (_, index) => fieldOf(request, `days.${index}`)),
  costsFrom: fieldOf(request, 'costsFrom'),
  interestFrom: fieldOf(request, 'interestFrom'),
  postFrom: fieldOf(request, 'postFrom'),
});

/** The plan that a form says; the words of each step, and what the form does not show, stay as they were. */
function planOf({ enabled, days, costsFrom, interestFrom, postFrom }: PlanForm, { steps, rates }: ReminderPlan) {
  const isFrom = (from: string, index: number): boolean => from !== '' && index + 1 >= Number(from);
  const said = days.filter((each) => each !== '');
  const shown = said.map((text, index) => ({
    ...steps[index],
    afterDays: /^\d{1,4}$/.test(text) ? Number(text) : 0,
    costs: isFrom(costsFrom, index),
    interest: isFrom(interestFrom, index),
    channel: isFrom(postFrom, index) ? 'post' : 'email',
    texts: steps[index]?.texts ?? [],
  }));
  return { enabled: enabled === 'yes', rates, steps: [...shown, ...steps.slice(STEPS)] };
}

/** `steps.1.afterDays` is the second field of days; what is said of a whole step is said of its days, too. */
const atDays = (faults: Faults): Faults => ({
  ...faults,
  fields: Object.fromEntries(
    Object.entries(faults.fields).map(([name, message]) => [
      name === 'steps' ? 'days.0' : name.replace(/^steps\.(\d+).*$/, 'days.$1'),
      message,
    ]),
  ),
});

function planPage(
  place: Workplace,
  { steps }: ReminderPlan,
  form: PlanForm,
  profileId: string | undefined,
  faults: Faults,
): PageBlock {
  const { t, at, organization } = place;
  const others = [{ id: undefined, name: t.organization }, ...organization.profiles].filter(
    ({ id }) => id !== profileId,
  );
  const query = profileId === undefined ? '' : `&profile=${profileId}`;
  return {
    title: t.reminderPlan,
    intro: t.reminderPlanText,
    back: { label: t.reminders, href: at('reminders') },
    notice: faults.notice,
    faults: faultList(faults),
    isNarrow: true,
    sections: [
      {
        title: organization.profiles.find(({ id }) => id === profileId)?.name ?? t.organization,
        forms: [
          {
            ...{ action: at('reminders/plan'), submit: t.save, cancel: at('reminders') },
            hidden: profileId === undefined ? {} : { profile: profileId },
            fields: planFields(place, form, faults),
          },
        ],
      },
      {
        title: t.reminderWords,
        text: t.reminderWordsText,
        actions: steps.map((_step, index) => ({
          label: fill(t.reminderNumber, { number: String(index + 1) }),
          href: `${at('reminders/texts')}?step=${index + 1}${query}`,
        })),
      },
      ...(organization.profiles.length > 1
        ? [
            {
              title: t.profiles,
              actions: others.map(({ id, name }) => ({ label: name, href: planAddress(place, id) })),
            },
          ]
        : []),
    ],
  };
}

function planFields({ t }: Workplace, form: PlanForm, { fields }: Faults): readonly FieldBlock[] {
  const fromStep = (name: 'costsFrom' | 'interestFrom' | 'postFrom', label: string, hint: string): FieldBlock => ({
    ...{ name, label, hint, value: form[name], fault: fields[name], isQuiet: true },
    options: [
      { value: '', label: t.never },
      ...Array.from({ length: STEPS }, (_, index) => String(index + 1)).map((value) => ({
        value,
        label: fill(t.reminderFrom, { number: value }),
      })),
    ],
  });
  return [
    {
      ...{ name: 'enabled', label: t.reminders, value: form.enabled, isQuiet: true },
      options: [
        { value: 'yes', label: t.reminderOn },
        { value: '', label: t.reminderOff },
      ],
    },
    ...Array.from({ length: STEPS }, (_, index): FieldBlock => ({
      ...{
        name: `days.${index}`,
        label: fill(t.reminderDays, { number: String(index + 1) }),
        value: form.days[index] ?? '',
      },
      ...{ inputMode: 'numeric', maxLength: 4, fault: fields[`days.${index}`], required: index === 0 },
    })),
    fromStep('costsFrom', t.reminderCosts, t.reminderCostsHint),
    fromStep('interestFrom', t.reminderInterest, t.reminderInterestHint),
    fromStep('postFrom', t.reminderPost, t.reminderPostHint),
  ];
}

function textsPage(
  place: Workplace,
  { texts }: ReminderPlan['steps'][number],
  {
    at: index,
    profileId,
    faults,
  }: { readonly at: number; readonly profileId: string | undefined; readonly faults: Faults },
): PageBlock {
  const { t, at } = place;
  const back = planAddress(place, profileId);
  const names = documentLanguages(t);
  return {
    title: fill(t.reminderNumber, { number: String(index + 1) }),
    intro: t.reminderWordsText,
    back: { label: t.reminderPlan, href: back },
    notice:
      faults.notice ??
      (Object.keys(faults.fields).length > 0
        ? { tone: 'bad', text: Object.values(faults.fields).join('; ') }
        : undefined),
    isNarrow: true,
    sections: [
      {
        forms: [
          {
            ...{ action: at('reminders/texts'), submit: t.save, cancel: back },
            hidden: { step: String(index + 1), ...(profileId !== undefined && { profile: profileId }) },
            fields: LANGUAGES.map((language) => ({
              ...{ name: language, label: names[language] ?? language, rows: 4, maxLength: 2_000 },
              value: texts.find((each) => each.language === language)?.text ?? '',
            })),
          },
        ],
      },
    ],
  };
}

import { randomUUID } from 'node:crypto';
import type { Request } from 'express';
import {
  ProfileDetails,
  type Profile,
  type ProfilePreview,
} from '@invoicing/contracts/invoicing/billing/v1/organizations';
import { palettes } from '@invoicing/design';
import { AppError, notFoundError, validationError } from '@invoicing/errors';
import { faultList, fieldOf, noFaults, operationOf, submit, type Faults } from '../pages/form-request';
import { idOf } from '../pages/list-request';
import { fileOf } from '../pages/multipart';
import { show, showFragment, type Workplace } from '../pages/visit';
import type { AddPart, Part } from '../pages/workplace-routes';
import type { Peers } from '../peers-client';
import { previewSection, profilePage, type ProfileForm } from './profile-pages';

/** Profiles: house style and numbers, with what documents look like by them while they are chosen. */
export const profileRoutes =
  (peers: Peers): AddPart =>
  (part) => {
    makeProfiles(peers, part);
    changeProfiles(peers, part);
    previewProfiles(peers, part);
  };

const blank: ProfileForm = {
  name: '',
  accentColor: palettes.light.accent,
  footer: '',
  numberFormat: '',
  startNumber: '',
};

function makeProfiles(peers: Peers, part: Part): void {
  part.get(
    '/settings/profiles/new',
    async (place, _request, response) => {
      const preview = await previewOf(peers, place, undefined, blank);
      show(
        response,
        place,
        profilePage(place, { form: blank, faults: noFaults, preview, hidden: { operation: randomUUID() } }),
      );
    },
    'settings.write',
  );

  part.post(
    '/settings/profiles/new',
    async (place, request, response) => {
      const operation = operationOf(request);
      const form = typedForm(request);
      const again = async (faults: Faults) => {
        const preview = await previewOf(peers, place, undefined, form);
        const page = profilePage(place, { form, faults, preview, hidden: { operation } });
        show(response, place, { ...page, faults: faultList(faults) }, response.statusCode);
      };
      return submit(
        place,
        response,
        async () => {
          const { name, accentColor, footer, numberFormat } = form;
          await peers.organizations.createProfile(
            {
              organizationId: place.organizationId,
              name,
              numberFormat: numberFormat || undefined,
              style: { accentColor, footer, logo: logoOf(request) },
            },
            place.call(operation),
          );
          return `${place.at('settings')}?done=yes`;
        },
        (faults) => again(withoutStyle(faults)),
      );
    },
    'settings.write',
  );
}

function changeProfiles(peers: Peers, part: Part): void {
  part.get(
    '/settings/profiles/:id',
    async (place, request, response) => {
      const profile = await find(peers, place, request);
      const form = formOf(profile);
      const preview = await previewOf(peers, place, profile.id, form);
      const hidden = { revision: String(profile.revision) };
      show(response, place, profilePage(place, { form, faults: noFaults, preview, profile, hidden }));
    },
    'settings.write',
  );

  part.post(
    '/settings/profiles/:id',
    async (place, request, response) => {
      const profile = await find(peers, place, request);
      const form = typedForm(request);
      const revision = fieldOf(request, 'revision');
      const again = async (faults: Faults) => {
        const preview = await previewOf(peers, place, profile.id, form);
        const page = profilePage(place, { form, faults, preview, profile, hidden: { revision } });
        show(response, place, { ...page, faults: faultList(faults) }, response.statusCode);
      };
      return submit(
        place,
        response,
        async () => {
          const { details, updateMask } = changeOf(profile, form, request);
          await peers.organizations.updateProfile(
            {
              organizationId: place.organizationId,
              profileId: profile.id,
              details,
              updateMask,
              revision: /^\d+$/.test(revision) ? Number(revision) : undefined,
              year: undefined,
            },
            place.call(),
          );
          return `${place.at('settings')}?done=yes`;
        },
        (faults) => again(withoutStyle(faults)),
      );
    },
    'settings.write',
  );
}

/** What the script asks for while somebody chooses. */
function previewProfiles(peers: Peers, part: Part): void {
  for (const path of ['/settings/profiles/new/preview', '/settings/profiles/:id/preview'])
    part.post(
      path,
      async (place, request, response) => {
        const { id } = request.params;
        const preview = await previewOf(peers, place, id === undefined ? undefined : idOf(id), typedForm(request));
        showFragment(response, place, 'section', { section: previewSection(place, preview) });
      },
      'settings.write',
    );
}

async function find(peers: Peers, { organizationId, call }: Workplace, request: Request): Promise<Profile> {
  const profileId = idOf(request.params['id']);
  return peers.organizations.getProfile({ organizationId, profileId }, call());
}

const formOf = (profile: Profile): ProfileForm => ({
  name: profile.name,
  accentColor: profile.style?.accentColor ?? '',
  footer: profile.style?.footer ?? '',
  numberFormat: profile.laterFormats.at(-1)?.numberFormat ?? profile.numberFormat,
  startNumber: String(profile.starts.at(-1)?.startNumber ?? ''),
});

const typedForm = (request: Request): ProfileForm => ({
  name: fieldOf(request, 'name'),
  accentColor: fieldOf(request, 'accentColor'),
  footer: fieldOf(request, 'footer'),
  numberFormat: fieldOf(request, 'numberFormat'),
  startNumber: fieldOf(request, 'startNumber'),
});

/** Only what differs: a number format that is sent again would be taken for one of a later year. */
function changeOf(profile: Profile, form: ProfileForm, request: Request) {
  const before = formOf(profile);
  const logo = logoOf(request);
  const updateMask = [
    ...(Object.keys(form) as (keyof ProfileForm)[]).filter((name) => form[name] !== before[name]),
    ...(logo || fieldOf(request, 'removeLogo') === 'yes' ? ['logo'] : []),
  ];
  const details = ProfileDetails.fromPartial({
    name: form.name,
    accentColor: form.accentColor || undefined,
    footer: form.footer,
    numberFormat: form.numberFormat || undefined,
    startNumber: startOf(form),
    logo,
  });
  return { details, updateMask };
}

function startOf({ startNumber }: ProfileForm): number | undefined {
  if (startNumber === '') return undefined;
  if (/^\d{1,9}$/.test(startNumber)) return Number(startNumber);
  throw validationError([{ path: '/startNumber', message: 'must be from 1 to 999999999' }]);
}

const logoOf = (request: Request): Buffer | undefined => {
  const file = fileOf(request, 'logo');
  return file && Buffer.from(file);
};

/** `style.footer` → `footer`. */
const withoutStyle = (faults: Faults): Faults => ({
  ...faults,
  fields: Object.fromEntries(
    Object.entries(faults.fields).map(([name, message]) => [name.replace(/^style\./, ''), message]),
  ),
});

/** Undefined while what is typed makes no document. */
async function previewOf(
  peers: Peers,
  { organizationId, call }: Workplace,
  profileId: string | undefined,
  form: ProfileForm,
): Promise<ProfilePreview | undefined> {
  try {
    const details = ProfileDetails.fromPartial({
      name: form.name || undefined,
      accentColor: form.accentColor || undefined,
      footer: form.footer,
      numberFormat: form.numberFormat || undefined,
      startNumber: startOf(form),
    });
    return await peers.organizations.previewProfile({ organizationId, profileId, details }, call());
  } catch (error) {
    if (error instanceof AppError && error.kind === 'absent') throw notFoundError('the profile');
    // What is half typed, and a renderer that is busy: the form works without it.
    if (error instanceof AppError && ['invalid', 'unavailable', 'exhausted'].includes(error.kind)) return undefined;
    throw error;
  }
}

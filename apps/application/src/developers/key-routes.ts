import { randomUUID } from 'node:crypto';
import type { Request } from 'express';
import { Mode } from '@invoicing/contracts/invoicing/billing/v1/organizations';
import type { CreateKeyRequest, Key } from '@invoicing/contracts/invoicing/gateway/v1/keys';
import { notFoundError, validationError } from '@invoicing/errors';
import { organizationScopes } from '@invoicing/rules';
import { linked, plain, type Cell, type ChoiceBlock, type PageBlock } from '../pages/blocks';
import { day, moment } from '../pages/format';
import { chosenOf, faultList, fieldOf, noFaults, operationOf, submit, type Faults } from '../pages/form-request';
import { doneNotice, idOf } from '../pages/list-request';
import { fill, type Texts } from '../pages/texts';
import { show, type Workplace } from '../pages/visit';
import type { AddPart, Part } from '../pages/workplace-routes';
import type { Peers } from '../peers-client';

/** API keys: made, shown once, looked at, revoked. */
export const keyRoutes =
  (peers: Peers): AddPart =>
  (part) => {
    listKeys(peers, part);
    makeKeys(peers, part);
    revokeKeys(peers, part);
  };

function listKeys(peers: Peers, part: Part): void {
  part.get(
    '/keys',
    async (place, request, response) => {
      const { t, at, organizationId, language, timeZone } = place;
      const { keys } = await peers.keys.listKeys({ organizationId }, place.call());
      show(response, place, {
        title: t.keys,
        intro: t.keysIntro,
        notice: doneNotice(request, t),
        actions: [{ label: t.newKey, href: at('keys/new'), isPrimary: true }],
        sections: [
          {
            table: {
              caption: t.keys,
              columns: [{ label: t.prefix }, { label: t.scopes }, { label: t.lastUsed }, { label: t.state }],
              rows: keys.map((key) => [
                linked(`${key.prefix}…`, at(`keys/${key.id}`)),
                plain(scopeList(t, key.scopes)),
                plain(moment(key.lastUsedAt, language, timeZone) || t.never),
                stateOf(t, key),
              ]),
              empty: t.noKeys,
            },
          },
        ],
      });
    },
    'keys.manage',
  );
}

interface Given {
  readonly scopes: readonly string[];
  readonly profileId: string;
  /** YYYY-MM-DD; empty: for ever. */
  readonly until: string;
}

const blank: Given = { scopes: [], profileId: '', until: '' };

function makeKeys(peers: Peers, part: Part): void {
  part.get(
    '/keys/new',
    (place, _request, response) => show(response, place, newPage(place, blank, noFaults, randomUUID())),
    'keys.manage',
  );

  part.post(
    '/keys/new',
    (place, request, response) => {
      const operation = operationOf(request);
      const given = givenIn(request);
      return submit(
        place,
        response,
        async () => {
          const { key, secret } = await peers.keys.createKey(requestOf(place, given), place.call(operation));
          return () => show(response, place, madePage(place, key!, secret));
        },
        (faults) => show(response, place, newPage(place, given, atScopes(faults), operation), response.statusCode),
      );
    },
    'keys.manage',
  );
}

const givenIn = (request: Request): Given => ({
  scopes: chosenOf(request, 'scopes'),
  profileId: fieldOf(request, 'profileId'),
  until: fieldOf(request, 'until'),
});

function requestOf({ organizationId }: Workplace, { scopes, profileId, until }: Given): CreateKeyRequest {
  // A key that may nothing is a slip: the command line can make one.
  if (scopes.length === 0) throw validationError([{ path: '/scopes', message: 'is required' }]);
  const expiresAt = until === '' ? undefined : new Date(`${until}T23:59:59Z`);
  if (expiresAt && Number.isNaN(expiresAt.getTime()))
    throw validationError([{ path: '/until', message: 'must be a date as YYYY-MM-DD' }]);
  return { organizationId, profileId: profileId || undefined, scopes: [...scopes], expiresAt, platform: false };
}

/** What the gateway says of one scope, or of the end, stands beside its field here. */
const atScopes = (faults: Faults): Faults => ({
  ...faults,
  fields: Object.fromEntries(
    Object.entries(faults.fields).map(([name, message]) => [
      name.startsWith('scopes.') ? 'scopes' : name === 'expiresAt' ? 'until' : name,
      message,
    ]),
  ),
});

function revokeKeys(peers: Peers, part: Part): void {
  part.get(
    '/keys/:id',
    async (place, request, response) => {
      const { organizationId } = place;
      const id = idOf(request.params['id']);
      const { keys } = await peers.keys.listKeys({ organizationId }, place.call());
      const key = keys.find((each) => each.id === id);
      if (!key) throw notFoundError('the key');
      show(response, place, keyPage(place, key));
    },
    'keys.manage',
  );

  part.post(
    '/keys/:id/revoke',
    async (place, request, response) => {
      const { organizationId, at } = place;
      await peers.keys.revokeKey({ organizationId, keyId: idOf(request.params['id']) }, place.call());
      response.redirect(303, `${at('keys')}?done=yes`);
    },
    'keys.manage',
  );
}

const stateOf = (t: Texts, { revokedAt, expiresAt }: Key): Cell => {
  if (revokedAt) return { text: t.stateRevoked, tone: 'plain' };
  if (expiresAt && expiresAt <= new Date()) return { text: t.stateExpired, tone: 'plain' };
  return { text: t.stateActive, tone: 'good' };
};

const scopeList = (t: Texts, scopes: readonly string[]): string =>
  scopes.length === organizationScopes.length ? t.everything : scopes.join(', ') || t.none;

const SUBJECTS: Readonly<Record<string, keyof Texts>> = {
  customers: 'customers',
  products: 'products',
  invoices: 'invoices',
  subscriptions: 'subscriptions',
  checkouts: 'checkouts',
  sandbox: 'sandbox',
};

/** `invoices:write` in words. */
function scopeChoice(t: Texts, scope: string, isChosen: boolean): ChoiceBlock {
  const [subject = '', verb] = scope.split(':');
  const what = t[SUBJECTS[subject] ?? 'none'].toLowerCase();
  const hint =
    scope === 'invoices:write' ? t.scopeInvoicesWrite : fill(verb === 'read' ? t.scopeRead : t.scopeWrite, { what });
  return { value: scope, label: scope, hint, isChosen };
}

function newPage(place: Workplace, given: Given, faults: Faults, operation: string): PageBlock {
  const { t, at, organization } = place;
  const profiles = [
    { value: '', label: t.allProfiles },
    ...organization.profiles.map(({ id, name }) => ({ value: id, label: name })),
  ];
  return {
    title: t.newKey,
    intro: t.newKeyIntro,
    back: { label: t.keys, href: at('keys') },
    notice: faults.notice,
    faults: faultList(faults),
    isNarrow: true,
    sections: [
      {
        forms: [
          {
            action: at('keys/new'),
            submit: t.makeKey,
            cancel: at('keys'),
            hidden: { operation },
            fields: [
              {
                name: 'scopes',
                label: t.scopes,
                value: '',
                fault: faults.fields['scopes'],
                choices: organizationScopes
                  // Play money is of test organisations.
                  .filter((scope) => organization.mode === Mode.TEST || !scope.startsWith('sandbox:'))
                  .map((scope) => scopeChoice(t, scope, given.scopes.includes(scope))),
              },
              { name: 'profileId', label: t.profile, value: given.profileId, options: profiles, required: true },
              {
                name: 'until',
                label: t.worksUntil,
                type: 'date',
                value: given.until,
                hint: t.worksUntilHint,
                fault: faults.fields['until'],
              },
            ],
          },
        ],
      },
    ],
  };
}

const madePage = ({ t, at }: Workplace, key: Key, secret: string): PageBlock => ({
  title: t.keyMade,
  notice: { tone: 'warning', text: t.shownOnce },
  isNarrow: true,
  sections: [
    { copies: [{ label: t.key, value: secret }], facts: [[t.scopes, plain(scopeList(t, key.scopes))]] },
    { actions: [{ label: t.keys, href: at('keys'), isPrimary: true }] },
  ],
});

function keyPage(place: Workplace, key: Key): PageBlock {
  const { t, at, language, timeZone, organization } = place;
  const profile = organization.profiles.find(({ id }) => id === key.profileId);
  return {
    title: `${key.prefix}…`,
    state: stateOf(t, key),
    back: { label: t.keys, href: at('keys') },
    sections: [
      {
        facts: [
          [t.scopes, plain(scopeList(t, key.scopes))],
          [t.profile, plain(profile?.name ?? t.allProfiles)],
          [t.createdAt, plain(moment(key.createdAt, language, timeZone))],
          [t.lastUsed, plain(moment(key.lastUsedAt, language, timeZone) || t.never)],
          [t.worksUntil, plain(day(key.expiresAt?.toISOString().slice(0, 10) ?? '', language) || t.forEver)],
        ],
      },
      ...(key.revokedAt
        ? []
        : [
            {
              text: t.revokeText,
              forms: [{ action: at(`keys/${key.id}/revoke`), submit: t.revoke, tone: 'danger' as const }],
            },
          ]),
    ],
  };
}

import type { Request, Response } from 'express';
import { brand } from '@invoicing/design';
import type { Organization } from '@invoicing/contracts/invoicing/billing/v1/organizations';
import { Mode } from '@invoicing/contracts/invoicing/billing/v1/organizations';
import { newCallContext, type CallContext } from '@invoicing/rpc';
import { mayDo, type Action, type Role } from '@invoicing/rules';
import type { Member } from '../people/team';
import type { User } from '../people/user-store';
import type { Session } from '../sign-in/session';
import type { PageBlock } from './blocks';
import { renderFragment, renderPage, renderTemplate, type Frame, type Place } from './render';
import { texts, type Language, type Texts } from './texts';

/** Somebody's request for a page. */
export interface Visit {
  readonly language: Language;
  readonly t: Texts;
  readonly requestId: string | undefined;
  readonly path: string;
  readonly user?: User;
  readonly session?: Session;
}

export interface SignedInVisit extends Visit {
  readonly user: User;
  readonly session: Session;
}

/** The same inside an organisation that they are a member of. */
export interface Workplace extends SignedInVisit {
  readonly organizationId: string;
  readonly organization: Organization;
  readonly name: string;
  readonly currency: string;
  readonly timeZone: string;
  readonly role: Role;
  readonly member: Member;
  /** They are a member of another organisation, too. */
  readonly hasOthers: boolean;
  readonly may: (action: Action) => boolean;
  /** `invoices/…` → where it is. */
  readonly at: (path: string) => string;
  /** For a call to a service. `operationId` makes one thing of it however often it is made. */
  readonly call: (operationId?: string) => CallContext;
}

/** The gateway waits 2.8 s for a page and 7.5 s for a form. */
const READ_MS = 2_500;
const WRITE_MS = 7_000;

export function visitOf(request: Request, language: Language): Visit {
  return { language, t: texts[language], requestId: request.get('x-request-id'), path: request.path };
}

export function workplace(
  visit: SignedInVisit,
  { member, hasOthers }: Pick<Workplace, 'member' | 'hasOthers'>,
  organization: Organization,
  isWrite: boolean,
): Workplace {
  const { id: organizationId, currency, details } = organization;
  const { role, userId } = member;
  return {
    ...visit,
    organizationId,
    organization,
    name: details?.name ?? '',
    currency,
    timeZone: details?.timezone || 'Europe/Amsterdam',
    role,
    member,
    hasOthers,
    may: (action) => mayDo(role, action),
    at: (path) => `/app/${organizationId}${path === '' ? '' : `/${path}`}`,
    call: (operationId) =>
      callFor(organizationId, { userId, role, email: visit.user.email }, visit, isWrite, operationId),
  };
}

/** A call for a member of an organisation, as the services know whom they serve. */
export function callFor(
  organizationId: string,
  person: { readonly userId: string; readonly role: Role; readonly email?: string },
  visit: Pick<Visit, 'requestId'> = { requestId: undefined },
  isWrite = false,
  operationId?: string,
): CallContext {
  const { userId, role, email } = person;
  return newCallContext(isWrite ? WRITE_MS : READ_MS, {
    principal: { service: 'application', organizationId, userId, role, ...(email !== undefined && { label: email }) },
    ...(visit.requestId !== undefined && { requestId: visit.requestId }),
    ...(operationId !== undefined && { operationId }),
  });
}

const isWorkplace = (visit: Visit | Workplace): visit is Workplace => 'organization' in visit;

function frameOf(visit: Visit | Workplace, title: string): Frame {
  const { language, t, user } = visit;
  const place = isWorkplace(visit) ? placeOf(visit) : undefined;
  const otherLanguage = language === 'nl' ? 'en' : 'nl';
  return {
    language,
    otherLanguage,
    languageUrl: `?lang=${otherLanguage}`,
    documentTitle: `${title} · ${place?.name ?? t.siteName}`,
    siteName: t.siteName,
    email: user?.email ?? '',
    place,
  };
}

/** Parts of the application, in the order in which they are shown; who may not look does not see them. */
const PARTS: readonly { readonly path: string; readonly label: keyof Texts; readonly action?: Action }[] = [
  { path: '', label: 'home' },
  { path: 'invoices', label: 'invoices', action: 'invoices.read' },
  { path: 'customers', label: 'customers', action: 'customers.read' },
  { path: 'products', label: 'products', action: 'products.read' },
  { path: 'subscriptions', label: 'subscriptions', action: 'subscriptions.read' },
  { path: 'checkouts', label: 'checkouts', action: 'checkouts.read' },
  { path: 'bank', label: 'bank', action: 'banking.write' },
  { path: 'reminders', label: 'reminders', action: 'invoices.read' },
  { path: 'books', label: 'books', action: 'exports.create' },
  { path: 'people', label: 'people', action: 'settings.read' },
  { path: 'keys', label: 'keys', action: 'keys.manage' },
  { path: 'webhooks', label: 'webhooks', action: 'webhooks.manage' },
  { path: 'requests', label: 'requests', action: 'keys.manage' },
  { path: 'history', label: 'history', action: 'history.read' },
  { path: 'settings', label: 'settings', action: 'settings.read' },
];

function placeOf({ name, organization, may, at, path, t, hasOthers }: Workplace): Place {
  const here = path.split('/')[3] ?? '';
  return {
    name,
    isTest: organization.mode === Mode.TEST,
    brand: brand({ name, accentColor: organization.profiles[0]?.style?.accentColor }),
    home: at(''),
    others: hasOthers ? '/app' : undefined,
    parts: PARTS.filter(({ action }) => !action || may(action)).map((part) => ({
      label: t[part.label],
      href: at(part.path),
      isCurrent: part.path === here,
    })),
  };
}

/** Answers with a page. */
export function show(response: Response, visit: Visit | Workplace, page: PageBlock, status = 200): void {
  response
    .status(status)
    .type('html')
    .send(renderPage(frameOf(visit, page.title), page));
}

/** Answers with a page that has a template of its own. */
export function showTemplate(
  response: Response,
  visit: Visit | Workplace,
  template: Parameters<typeof renderTemplate>[0],
  view: { readonly page: PageBlock } & Readonly<Record<string, unknown>>,
): void {
  response.type('html').send(renderTemplate(template, frameOf(visit, view.page.title), view));
}

export const roleName = (t: Texts, role: Role): string =>
  ({
    owner: t.roleOwner,
    bookkeeper: t.roleBookkeeper,
    sales: t.roleSales,
    developer: t.roleDeveloper,
    viewer: t.roleViewer,
  })[role];

/** Answers with a part of a page. */
export function showFragment(
  response: Response,
  { language }: Visit,
  template: Parameters<typeof renderFragment>[0],
  view: object,
): void {
  response.type('html').send(renderFragment(template, language, view));
}

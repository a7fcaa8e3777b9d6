import { randomUUID } from 'node:crypto';
import type { Request } from 'express';
import { Mode } from '@invoicing/contracts/invoicing/billing/v1/organizations';
import type { AccessPointAccount } from '@invoicing/contracts/invoicing/notification/v1/peppol';
import { plain, type FieldBlock, type PageBlock, type SectionBlock } from '../pages/blocks';
import { moment } from '../pages/format';
import { faultList, fieldOf, noFaults, operationOf, submit, type Faults } from '../pages/form-request';
import { show, type Workplace } from '../pages/visit';
import type { AddPart } from '../pages/workplace-routes';
import type { Peers } from '../peers-client';

/** The access point that e-invoices go by: connected by its key, which is never shown again. */
export const accessPointRoutes =
  ({ peppol }: Peers): AddPart =>
  (part) => {
    part.get(
      '/settings/peppol',
      (place, _request, response) => show(response, place, connectPage(place, '', noFaults, randomUUID())),
      'providers.connect',
    );

    part.post(
      '/settings/peppol',
      (place, request, response) => {
        const operation = operationOf(request);
        return submit(
          place,
          response,
          async () => {
            await peppol.connectAccessPoint(accountOf(place, request), place.call(operation));
            return `${place.at('settings')}?done=yes`;
          },
          // The key is not shown again: it would stand in the page.
          (faults) =>
            show(
              response,
              place,
              connectPage(place, fieldOf(request, 'senderId'), faults, operation),
              response.statusCode,
            ),
        );
      },
      'providers.connect',
    );
  };

const isTest = ({ organization }: Workplace): boolean => organization.mode === Mode.TEST;
const NAMES: Readonly<Record<string, string>> = { storecove: 'Storecove' };

/** What real companies receive is sent by live organisations only, and the sandbox knows everybody: there is nothing to choose. */
const accountOf = (place: Workplace, request: Request) => ({
  organizationId: place.organizationId,
  ...(isTest(place)
    ? { accessPoint: 'sandbox', apiKey: undefined, senderId: undefined }
    : { accessPoint: 'storecove', apiKey: fieldOf(request, 'apiKey'), senderId: fieldOf(request, 'senderId') }),
  baseUrl: undefined,
});

/** How e-invoices go to other companies; `account` undefined: it cannot be asked just now, null: none is connected. */
export function accessPointSection(place: Workplace, account: AccessPointAccount | null | undefined): SectionBlock {
  const { t, at, may, language, timeZone } = place;
  const label = account ? t.connectOther : t.connectAccessPoint;
  const actions = may('providers.connect') ? { actions: [{ label, href: at('settings/peppol') }] } : {};
  if (!account)
    return { title: t.peppol, text: account === undefined ? t.unavailableText : t.noAccessPoint, ...actions };
  const { accessPoint, senderId, connectedAt } = account;
  return {
    title: t.peppol,
    facts: [
      [t.accessPoint, plain(NAMES[accessPoint] ?? t.accessPointSandbox)],
      [t.state, { text: t.stateConnected, tone: 'good' }],
      ...(senderId ? ([[t.accessPointSender, plain(senderId)]] as const) : []),
      [t.since, plain(moment(connectedAt, language, timeZone))],
    ],
    ...actions,
  };
}

function connectPage(place: Workplace, senderId: string, faults: Faults, operation: string): PageBlock {
  const { t, at } = place;
  const fault = (name: string) => ({ fault: faults.fields[name] });
  const fields: readonly FieldBlock[] = [
    {
      ...{ name: 'senderId', label: t.accessPointSender, value: senderId, hint: t.accessPointSenderHint },
      ...{ inputMode: 'numeric', maxLength: 20, required: true, autocomplete: 'off', ...fault('senderId') },
    },
    {
      ...{ name: 'apiKey', label: t.accessPointKey, value: '', type: 'password', hint: t.accessPointKeyHint },
      ...{ maxLength: 200, required: true, autocomplete: 'off', ...fault('apiKey') },
    },
  ];
  return {
    title: t.connectAccessPoint,
    intro: isTest(place) ? t.accessPointSandboxIntro : t.accessPointIntro,
    back: { label: t.settings, href: at('settings') },
    notice: faults.notice,
    faults: faultList(faults),
    isNarrow: true,
    sections: [
      {
        forms: [
          {
            ...{ action: at('settings/peppol'), submit: t.connect, cancel: at('settings'), hidden: { operation } },
            fields: isTest(place) ? [] : fields,
          },
        ],
      },
    ],
  };
}

import { AppError } from '@invoicing/errors';
import type { AccessPoint, AccessPointAccount, AccessPointKind } from './access-point';
import { sandboxKind } from './sandbox-access-point';
import { storecoveKind } from './storecove/storecove-access-point';
import { publicDispatcher } from './storecove/storecove-client';

export type AccessPointKinds = Readonly<Record<string, AccessPointKind>>;

/** Every access point there is. `folder`: where the sandbox keeps what it was handed. */
export const accessPointKinds = (folder: string, allowLoopback: boolean): AccessPointKinds => ({
  sandbox: sandboxKind(folder),
  storecove: storecoveKind(publicDispatcher(allowLoopback)),
});

/** Opens an account; its kind is one of ours, or it could not have been connected. */
export const accessPointOpener =
  (kinds: AccessPointKinds) =>
  (account: AccessPointAccount): AccessPoint => {
    const kind = Object.hasOwn(kinds, account.accessPoint) ? kinds[account.accessPoint] : undefined;
    if (!kind) throw new AppError('internal', 'generic', `there is no access point ${account.accessPoint}`);
    return kind.open(account);
  };

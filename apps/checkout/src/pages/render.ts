import { createHash } from 'node:crypto';
import { Eta } from 'eta';
import { type SandboxPayment } from '../providers/sandbox/sandbox-payment';
import { money } from './format';
import form from './form.eta';
import layout from './layout.eta';
import { methodName } from './method-display';
import script from './page.client.js';
import style from './page.css';
import sandbox from './sandbox.eta';
import status from './status.eta';

const eta = new Eta({ autoTrim: ['nl', false] });
for (const [name, template] of Object.entries({ layout, form, status, sandbox }))
  eta.loadTemplate(`@${name}`, template);

const named = (content: string, suffix: string): string =>
  `${createHash('sha256').update(content).digest('hex').slice(0, 12)}.${suffix}`;

/** What pages refer to; the name changes with the content, so that browsers may keep it for ever. */
export const assets: ReadonlyMap<string, { readonly type: string; readonly content: string }> = new Map([
  [named(style, 'css'), { type: 'text/css', content: style }],
  [named(script, 'js'), { type: 'text/javascript', content: script }],
]);
const urls = { css: `/c/assets/${named(style, 'css')}`, js: `/c/assets/${named(script, 'js')}` };

export const renderPage = (template: 'form' | 'status', view: object): string =>
  eta.render(`@${template}`, { ...view, assets: urls });

export const renderSandboxPage = (payment: SandboxPayment | null): string =>
  eta.render('@sandbox', {
    assets: urls,
    payment,
    method: payment && methodName({ id: payment.method, name: payment.method }, 'en'),
    amount: payment && money(payment.amountCents, payment.currency, 'en'),
    decidable: payment?.status === 'open' || payment?.status === 'pending',
    returned: payment && payment.refundedCents > 0 && money(payment.refundedCents, payment.currency, 'en'),
    returnable: payment?.status === 'paid' && payment.refundedCents < payment.amountCents,
  });

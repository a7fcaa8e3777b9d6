import { Eta } from 'eta';
import { brandStyle, formatMoney, frameTemplates, pageFiles, type Brand } from '@invoicing/design';
import { type SandboxPayment } from '../providers/sandbox/sandbox-payment';
import form from './form.eta';
import layout from './layout.eta';
import { methodName } from './method-name';
import script from './page.client.js';
import style from './page.css';
import sandbox from './sandbox.eta';
import status from './status.eta';

const eta = new Eta({ autoTrim: ['nl', false] });
for (const [name, template] of Object.entries({ layout, form, status, sandbox, ...frameTemplates }))
  eta.loadTemplate(`@${name}`, template);

const own = pageFiles({ css: style, js: script });
/** What pages load, by name. */
export const assets = own.files;

/** The colours of a brand as a stylesheet: a page's policy allows nothing inline. */
export const colorSheet = (brand: Pick<Brand, 'light' | 'dark'>): string => brandStyle(brand);
/** Where they are found: a colour is all that they depend on. */
export const COLOR_SHEET = /^colors-([0-9a-f]{6})\.css$/;

const urls = { css: `/c/assets/${own.css}`, js: `/c/assets/${own.js}` };
const colorsOf = ({ light }: Brand): string => `/c/assets/colors-${light.accent.slice(1)}.css`;

export const renderPage = (
  template: 'form' | 'status',
  view: { readonly brand: Brand } & Readonly<Record<string, unknown>>,
): string => eta.render(`@${template}`, { ...view, assets: { ...urls, colors: colorsOf(view.brand) } });

export function renderSandboxPage(payment: SandboxPayment | null): string {
  const shown = (cents: number): string => formatMoney(cents, 'en');
  return eta.render('@sandbox', {
    assets: urls,
    payment,
    method: payment && methodName({ id: payment.method, name: payment.method }, 'en'),
    amount: payment && shown(payment.amountCents),
    decidable: payment?.status === 'open' || payment?.status === 'pending',
    returned: payment && payment.refundedCents > 0 && shown(payment.refundedCents),
    returnable: payment?.status === 'paid' && payment.refundedCents < payment.amountCents,
  });
}

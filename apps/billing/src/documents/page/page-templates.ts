import { createHash } from 'node:crypto';
import { Eta } from 'eta';
import { brandStyle, frameTemplates, pageFiles, type Language, type PageFile } from '@invoicing/design';
import type { FrozenInvoice } from '../../invoices/invoice';
import { WORDING } from '../wording/wording';
import invoicePage from './invoice-page.eta';
import messagePage from './message-page.eta';
import { brandOf, type pageView } from './page-view';
import script from './page.client.js';
import style from './page.css';
import icon from './page-icon.svg';

const eta = new Eta({ autoEscape: true, autoTrim: [false, 'nl'] });
const templates = { invoice: invoicePage, message: messagePage, ...frameTemplates };
for (const [name, template] of Object.entries(templates)) eta.loadTemplate(`@${name}`, template);

const digest = (text: string): string => createHash('sha256').update(text).digest('base64');
const own = pageFiles({ css: style, js: script });
const iconName = `${createHash('sha256').update(icon).digest('hex').slice(0, 12)}.svg`;

/** Files that the page loads, by a name that changes with their content. */
export const pageAssets: ReadonlyMap<string, Pick<PageFile, 'type' | 'content'>> = new Map<
  string,
  Pick<PageFile, 'type' | 'content'>
>([...own.files, [iconName, { type: 'image/svg+xml', content: Buffer.from(icon) }]]);
const assets = { style: `assets/${own.css}`, script: `assets/${own.js}`, icon: `assets/${iconName}` };

export interface Page {
  /** UTF-8. */
  readonly html: Buffer;
  /** Content-Security-Policy for exactly this page. */
  readonly policy: string;
}

const policyOf = (style: string, ...more: string[]): string =>
  [
    "default-src 'none'",
    `style-src 'self'${style}`,
    "font-src 'self'",
    "img-src 'self'",
    ...more,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** The page of an invoice; links are relative, so it works under every prefix. */
export function invoiceHtml(
  view: Awaited<ReturnType<typeof pageView>>,
  invoice: Pick<FrozenInvoice, 'style' | 'seller'>,
): Page {
  const colors = brandStyle(brandOf(invoice));
  return {
    html: Buffer.from(eta.render('@invoice', { ...view, colors, assets })),
    policy: policyOf(` 'sha256-${digest(colors)}'`, "script-src 'self'"),
  };
}

/** A page that only says something; `prefix`: from the page's address to that of the pages. */
export function messageHtml(code: 404 | 503, language: Language, prefix = ''): Page {
  const words = WORDING[language];
  const texts =
    code === 404
      ? { title: words.notFoundTitle, text: words.notFoundText }
      : { title: words.unavailableTitle, text: words.unavailableText };
  const found = { style: `${prefix}${assets.style}`, icon: `${prefix}${assets.icon}` };
  const html = Buffer.from(eta.render('@message', { ...texts, code, language, assets: found }));
  return { html, policy: policyOf('') };
}

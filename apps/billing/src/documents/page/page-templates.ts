import { createHash } from 'node:crypto';
import { Eta } from 'eta';
import { accentOf, inkOn, readableOn } from '../wording/accent-color';
import type { Language } from '../wording/formats';
import { WORDING } from '../wording/wording';
import invoicePage from './invoice-page.eta';
import messageStyle from './message.css';
import messagePage from './message-page.eta';
import { type pageView } from './page-view';
import script from './page.client.js';
import style from './page.css';
import icon from './page-icon.svg';

const eta = new Eta({ autoEscape: true, autoTrim: [false, 'nl'] });
const templates = { invoice: eta.compile(invoicePage), message: eta.compile(messagePage) };

const digest = (text: string): string => createHash('sha256').update(text).digest('base64');
const hashedName = (name: string, text: string, extension: string): string =>
  `${name}.${createHash('sha256').update(text).digest('hex').slice(0, 12)}.${extension}`;

/** Files that the page loads, by a name that changes with their content. */
export const pageAssets: ReadonlyMap<string, { readonly type: string; readonly text: string }> = new Map([
  [hashedName('page', style, 'css'), { type: 'text/css', text: style }],
  [hashedName('page', script, 'js'), { type: 'text/javascript', text: script }],
  [hashedName('page', icon, 'svg'), { type: 'image/svg+xml', text: icon }],
]);
const [styleName = '', scriptName = '', iconName = ''] = pageAssets.keys();

export interface Page {
  readonly html: string;
  /** Content-Security-Policy for exactly this page. */
  readonly policy: string;
}

const policyOf = (inlineStyle: string, ...more: string[]): string =>
  [
    "default-src 'none'",
    `style-src 'self' 'sha256-${digest(inlineStyle)}'`,
    ...more,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** The page of an invoice; links are relative, so it works under every prefix. */
export function invoiceHtml(view: Awaited<ReturnType<typeof pageView>>, accentColor: string): Page {
  const accent = accentOf(accentColor);
  const colors =
    `:root{--accent:${accent};--accent-ink:${inkOn(accent)};--accent-text:${readableOn('#ffffff', accent)}}` +
    `@media(prefers-color-scheme:dark){:root{--accent-text:${readableOn('#171b21', accent)}}}`;
  const assets = { style: `assets/${styleName}`, script: `assets/${scriptName}`, icon: `assets/${iconName}` };
  return {
    html: eta.render(templates.invoice, { ...view, colors, assets }),
    policy: policyOf(colors, "script-src 'self'", "img-src 'self'"),
  };
}

/** A page that only says something, with everything in it. */
export function messageHtml(code: 404 | 503, language: Language): Page {
  const words = WORDING[language];
  const texts =
    code === 404
      ? { title: words.notFoundTitle, text: words.notFoundText }
      : { title: words.unavailableTitle, text: words.unavailableText };
  return {
    html: eta.render(templates.message, { ...texts, code, language, style: messageStyle }),
    policy: policyOf(messageStyle),
  };
}

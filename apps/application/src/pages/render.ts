import { Eta } from 'eta';
import { pageFiles, type Brand } from '@invoicing/design';
import type { FieldBlock, PageBlock } from './blocks';
import cell from './cell.eta';
import chart from './chart.eta';
import editor from './editor.eta';
import field from './field.eta';
import form from './form.eta';
import head from './head.eta';
import layout from './layout.eta';
import page from './page.eta';
import products from './products.eta';
import section from './section.eta';
import script from './page.client.js';
import style from './page.css';
import table from './table.eta';
import { fill, texts, type Language } from './texts';

/** Around every page: who looks, at what, in which language. */
export interface Frame {
  readonly language: Language;
  readonly documentTitle: string;
  readonly siteName: string;
  readonly otherLanguage: Language;
  readonly languageUrl: string;
  /** Of whoever is signed in; empty: nobody. */
  readonly email: string;
  readonly place: Place | undefined;
}

/** The organisation that the page belongs to. */
export interface Place {
  readonly name: string;
  readonly isTest: boolean;
  readonly brand: Brand;
  readonly home: string;
  /** Where another organisation is chosen; absent: they have none. */
  readonly others: string | undefined;
  readonly parts: readonly { readonly label: string; readonly href: string; readonly isCurrent: boolean }[];
}

const templates = { layout, page, head, section, cell, chart, table, form, field, editor, products };
const eta = new Eta({ autoTrim: ['nl', false] });
for (const [name, template] of Object.entries(templates)) eta.loadTemplate(`@${name}`, template);

const pageOwn = pageFiles({ css: style, js: script });
/** What pages load, by name. */
export const assets = pageOwn.files;
const urls = { css: `/app/assets/${pageOwn.css}`, js: `/app/assets/${pageOwn.js}` };

/** A page that is only blocks. */
export const renderPage = (frame: Frame, block: PageBlock): string => renderTemplate('page', frame, { page: block });

/** A page with a template of its own. */
export const renderTemplate = (
  template: 'page' | 'editor',
  frame: Frame,
  view: { readonly page: PageBlock } & Editor,
): string =>
  eta.render(`@${template}`, {
    ...view,
    page: { ...view.page, faults: labelledFaults(view) },
    ...{ frame, t: texts[frame.language], fill, assets: urls },
  });

/** The fields of a template of its own. */
interface Editor {
  readonly customer?: FieldBlock;
  readonly head?: readonly FieldBlock[];
  readonly terms?: readonly FieldBlock[];
  readonly lines?: readonly { readonly label: string; readonly fields: readonly FieldBlock[] }[];
}

/** At the top of a page a fault names its field; beside the field it need not. */
function labelledFaults({ page, customer, head = [], terms = [], lines = [] }: { readonly page: PageBlock } & Editor) {
  const ofForms = page.sections.flatMap(({ forms = [] }) => forms.flatMap(({ fields = [] }) => fields));
  const labels = new Map(
    [...ofForms, ...(customer ? [customer] : []), ...head, ...terms].map(({ name, label }) => [name, label]),
  );
  for (const line of lines)
    for (const { name, label } of line.fields) labels.set(name, `${line.label}, ${label.toLowerCase()}`);
  return page.faults?.map(({ field, message }) => {
    const label = labels.get(field);
    return { field, message: label ? `${label}: ${message}` : message };
  });
}

/** A part of a page, for a script that puts it in place. */
export const renderFragment = (template: 'field' | 'products' | 'section', language: Language, view: object): string =>
  eta.render(`@${template}`, { ...view, t: texts[language] });

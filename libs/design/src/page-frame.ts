import type { Brand, Seller } from './brand';
import { LANGUAGE_NAMES, LANGUAGES, type Language } from './languages';
import pageFoot from './page-foot.eta';
import pageTop from './page-top.eta';

/** Around every page that a payer sees: `pageTop` and `pageFoot`, each rendered with a FrameView. */
export const frameTemplates = { pageTop, pageFoot };

const WORDS: Readonly<Record<Language, { languages: string; kvk: string; vatId: string; test: string }>> = {
  nl: { languages: 'Talen', kvk: 'KvK', vatId: 'Btw-id', test: 'Dit is een test: er gaat geen geld om.' },
  en: {
    languages: 'Languages',
    kvk: 'Chamber of Commerce',
    vatId: 'VAT ID',
    test: 'This is a test: no money moves.',
  },
  de: {
    languages: 'Sprachen',
    kvk: 'Handelsregister',
    vatId: 'USt-IdNr.',
    test: 'Dies ist ein Test: Es fließt kein Geld.',
  },
  fr: {
    languages: 'Langues',
    kvk: 'Registre du commerce',
    vatId: 'N° TVA',
    test: 'Ceci est un test : aucun argent ne circule.',
  },
};

/** What the templates of the frame show, as ready text. */
export interface FrameView extends Pick<Brand, 'name' | 'initials' | 'footer'> {
  readonly words: { readonly languages: string };
  /** Empty: the name is shown instead. */
  readonly logoUrl: string;
  /** The languages that the page is not in. */
  readonly languages: readonly { readonly code: Language; readonly name: string; readonly url: string }[];
  /** Id of the form that a change of language sends along, so that what was typed stays; empty: there is none. */
  readonly form: string;
  /** Empty: no money of a test organisation. */
  readonly testNotice: string;
  /** Who is behind it: legal name and numbers. */
  readonly identity: readonly string[];
  readonly contacts: readonly { readonly text: string; readonly url: string }[];
}

/** What a surface of a test organisation says beside TEST. */
export const testNotice = (language: Language): string => WORDS[language].test;

/** Legal name and numbers of a seller. */
export function sellerIdentity(
  { name, kvkNumber, btwId }: Pick<Seller, 'name' | 'kvkNumber' | 'btwId'>,
  language: Language,
): readonly string[] {
  const words = WORDS[language];
  return [name, kvkNumber && `${words.kvk} ${kvkNumber}`, btwId && `${words.vatId} ${btwId}`].filter(Boolean);
}

/** Opens a message to an address. */
export const mailtoUrl = (address: string): string => `mailto:${encodeURIComponent(address).replace('%40', '@')}`;

/** The frame of a page in one language. */
export function frameView(
  { name, initials, logo, footer, seller }: Brand,
  page: {
    readonly language: Language;
    readonly isTest: boolean;
    /** Where the page's logo is served. */
    readonly logoUrl: string;
    readonly languageUrl: (language: Language) => string;
    readonly form?: string;
  },
): FrameView {
  const words = WORDS[page.language];
  return {
    ...{ name, initials, footer, words },
    logoUrl: logo ? page.logoUrl : '',
    languages: LANGUAGES.filter((code) => code !== page.language).map((code) => ({
      code,
      name: LANGUAGE_NAMES[code],
      url: page.languageUrl(code),
    })),
    form: page.form ?? '',
    testNotice: page.isTest ? words.test : '',
    identity: sellerIdentity(seller, page.language),
    contacts: [
      { text: seller.email, url: mailtoUrl(seller.email) },
      { text: seller.phone, url: `tel:${seller.phone.replace(/[^+\d]/g, '')}` },
    ].filter(({ text }) => text !== ''),
  };
}

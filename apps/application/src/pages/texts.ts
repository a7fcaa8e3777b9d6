import { en, type Texts } from './texts-en';
import { nl } from './texts-nl';

export type { Texts } from './texts-en';

export const texts = { nl, en } as const satisfies Record<string, Texts>;
export type Language = keyof typeof texts;

export const isLanguage = (text: unknown): text is Language => text === 'nl' || text === 'en';

/** The first language of `Accept-Language` that we speak; Dutch when there is none. */
export function languageOfHeader(header: string | undefined): Language {
  for (const each of (header ?? '').split(',')) {
    const language = each.trim().slice(0, 2).toLowerCase();
    if (isLanguage(language)) return language;
  }
  return 'nl';
}

/** `{name}` in a sentence becomes its value. */
export const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (_all, name: string) => values[name] ?? '');

import { type Language } from '@invoicing/design';
import { de } from './texts-de';
import { en } from './texts-en';
import { fr } from './texts-fr';
import { nl, type Texts } from './texts-nl';

export type { Texts } from './texts-nl';

/** Everything the pages say. */
export const texts: Readonly<Record<Language, Texts>> = { nl, en, de, fr };

import { de } from './de';
import { en } from './en';
import type { Language } from '@invoicing/design';
import { fr } from './fr';
import { nl, type Wording } from './nl';

export type { Wording } from './nl';

/** Every word that a document or its page shows, but for what the parties wrote. */
export const WORDING: Record<Language, Wording> = { nl, en, de, fr };

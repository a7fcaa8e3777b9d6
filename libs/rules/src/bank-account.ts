import { electronicFormatIBAN, isValidBIC, isValidIBAN } from 'ibantools';

/** An IBAN in its one stored form (ISO 13616, electronic format): upper case, letters and digits only. */
export const compactIban = (text: string): string => electronicFormatIBAN(text) ?? '';

/** Whether a text in its stored form is an IBAN: length and form of its country, check digits right. */
export const isIban = (text: string): boolean => isValidIBAN(text);

/** Whether an upper-case text has the form of a BIC (ISO 9362), of 8 or 11 characters. */
export const isBic = (text: string): boolean => text === text.toUpperCase() && isValidBIC(text);

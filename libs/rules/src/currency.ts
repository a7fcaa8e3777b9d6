/** The one currency (ISO 4217) that invoices, payments and amounts are in; its amounts are integers of cents. */
export const CURRENCY = 'EUR';

/** Codes of currencies that amounts can be in. */
export type Currency = typeof CURRENCY;

/** Whether a text is the code of a currency that amounts can be in. */
export const isCurrency = (text: string): text is Currency => text === CURRENCY;

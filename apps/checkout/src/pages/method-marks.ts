const mark = (path: string): string =>
  `<svg viewBox="0 0 32 24" width="32" height="24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">${path}</svg>`;

const bank = mark('<path d="m6 9 10-5 10 5zM9 12v6m4.700-6v6m4.600-6v6m4.700-6v6M6 21h20"/>');
const card = mark('<rect x="4" y="4" width="24" height="16" rx="3"/><path d="M4 9h24M8 15.500h5"/>');
const wallet = mark('<path d="M7 6h16a3 3 0 0 1 3 3v9a3 3 0 0 1-3 3H8a3 3 0 0 1-3-3V7a2 2 0 0 1 2-2h14M21 13.500h1"/>');

const MARKS: Readonly<Record<string, string>> = { ideal: bank, banktransfer: bank, creditcard: card, bancontact: card };

/** What kind of thing a method is, drawn; the name beside it says which. Nobody's trade mark (ADR 0021). */
export const methodMark = (id: string): string => (Object.hasOwn(MARKS, id) ? MARKS[id]! : wallet);

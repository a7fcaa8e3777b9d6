/** The longest texts of a document, in characters. One rule: a checkout takes what its invoice will be issued with. */
export const DOCUMENT_TEXT_LIMITS = { reference: 100, note: 2_000 } as const;

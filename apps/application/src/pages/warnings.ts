import type { NoticeBlock } from './blocks';
import type { Texts } from './texts';

/** What of something is worth a look, though it was stored as it is. */
export const warningsNotice = (t: Texts, warnings: readonly { readonly message: string }[]): NoticeBlock | undefined =>
  warnings.length === 0
    ? undefined
    : { tone: 'warning', title: t.issueWarnings, text: warnings.map(({ message }) => message).join('; ') };

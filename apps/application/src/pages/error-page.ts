import { AppError } from '@invoicing/errors';
import type { PageBlock } from './blocks';
import type { Visit, Workplace } from './visit';
import { roleName } from './visit';
import { fill } from './texts';

/** What a page says when it cannot be shown, and with which status. */
export function errorPage(
  error: unknown,
  visit: Visit | Workplace,
): { readonly status: number; readonly page: PageBlock } {
  const { t } = visit;
  const page = (title: string, text: string): PageBlock => ({ title, intro: text, sections: [], isNarrow: true });
  const status = (error as { status?: number } | undefined)?.status;
  if (!(error instanceof AppError))
    // A body that is too large or malformed is the sender's fault, and says so itself.
    return { status: status && status >= 400 && status < 500 ? status : 500, page: page(t.failedTitle, t.failedText) };
  switch (error.kind) {
    case 'absent':
    case 'invalid':
      return { status: 404, page: page(t.notFoundTitle, t.notFoundText) };
    case 'forbidden': {
      const role = 'role' in visit ? roleName(t, visit.role) : '';
      return { status: 403, page: page(t.forbiddenTitle, fill(t.forbiddenText, { role })) };
    }
    case 'exhausted':
      return { status: 429, page: page(t.rateTitle, t.rateText) };
    case 'conflict':
    case 'exists':
    case 'busy':
      return { status: 409, page: page(t.wrongTitle, t.conflictText) };
    case 'blocked':
      return { status: 409, page: page(t.wrongTitle, t.blockedText) };
    case 'unavailable':
    case 'unfinished':
      return { status: 503, page: page(t.unavailableTitle, t.unavailableText) };
    case 'unauthenticated':
    case 'internal':
      return { status: 500, page: page(t.failedTitle, t.failedText) };
  }
}

/** A form that another site sent. */
export const originPage = ({ t }: Visit): PageBlock => ({
  title: t.originTitle,
  intro: t.originText,
  sections: [],
  isNarrow: true,
});

export const notFoundPage = ({ t }: Visit): PageBlock => ({
  title: t.notFoundTitle,
  intro: t.notFoundText,
  sections: [],
  isNarrow: true,
});

/** For what a page can do without: undefined when its service cannot be asked just now; anything else is thrown on. */
export function unlessAway(error: unknown): undefined {
  if (error instanceof AppError && (error.kind === 'unavailable' || error.kind === 'unfinished')) return undefined;
  throw error;
}

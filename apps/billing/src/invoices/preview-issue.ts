import type { Warning } from '@invoicing/errors';
import { assertMaySend } from '../organizations/may-send';
import type { Ports } from '../billing-ports';
import { candidateNumber } from './issue-document';
import { prepareDraft, type PreparedDraft } from './issue-draft';
import type { Call } from './invoice-ports';
import { treatmentWarnings } from './treatment-warnings';

/** What issuing a draft would come to. */
export interface IssuePreviewed extends PreparedDraft {
  /** That it takes if nothing is issued before it. */
  readonly number: string;
  readonly warnings: readonly Warning[];
}

/** Tries out the issue of a draft: checks all that issuing checks, takes no number and sends nothing. Throws what issuing would throw. */
export async function previewIssue(
  ports: Ports,
  organizationId: string,
  id: string,
  call: Call,
): Promise<IssuePreviewed> {
  const prepared = await prepareDraft(ports, organizationId, id, { email: true }, call);
  const { organization, draft, unnumbered } = prepared;
  assertMaySend(organization, draft.checkoutId);
  return {
    ...prepared,
    number: await candidateNumber(ports, unnumbered, organization),
    warnings: treatmentWarnings(unnumbered),
  };
}

import { allValid, AppError, faultless, notFoundError, requireValid } from '@invoicing/errors';
import { textMessage } from '@invoicing/rules';
import { businessDate } from './business-date';
import { creditOf, type CreditAsk } from './credit-note';
import { publicPageOf, testMarkOf } from './freeze-invoice';
import type { IssuedInvoice, UnnumberedInvoice } from './issued-invoice';
import { numberFormatOf } from '../organizations/profile';
import { emailDocument, type Created } from './email-document';
import { issueDocument } from './issue-document';
import type { Call, Ports } from './invoice-ports';

const MAX_REASON = 500;
// Each lost round means another credit note of the same invoice was issued.
const MAX_ROUNDS = 10;

/**
 * Issues a credit note for an issued invoice, whole or by lines. Two at once cannot give back more than there was: each takes the
 * next place among the invoice's credit notes, and a unique index lets only one have it.
 */
export async function creditInvoice(
  ports: Ports,
  organizationId: string,
  invoiceId: string,
  input: { readonly lines: readonly CreditAsk[]; readonly reason: string },
  call: Call,
): Promise<Created> {
  const id = call.operationId ?? ports.newId();
  const [organization, original] = await Promise.all([
    ports.organizations.find(organizationId),
    ports.invoices.find(organizationId, invoiceId),
  ]);
  if (!organization || !original) throw notFoundError('the invoice');
  for (let round = 1; ; round++) {
    const repeated = await ports.invoices.find(organizationId, id);
    if (repeated) {
      if (repeated.credited?.invoiceId !== invoiceId) {
        throw new AppError('conflict', 'conflict', 'the id of the operation is in use');
      }
      return emailDocument(ports, repeated, call);
    }
    const now = ports.now();
    const today = businessDate(now, organization.details.timezone);
    const token = ports.newToken();
    const noteOf = await draftNote(ports, original, input);
    const note: UnnumberedInvoice = {
      ...noteOf,
      ...testMarkOf(organization),
      _id: id,
      publicToken: token,
      publicUrl: publicPageOf(ports.publicUrl, token),
      issueDate: today,
      dueDate: today,
      issuedAt: now,
      createdAt: now,
    };
    try {
      const issued = await issueDocument(ports, note, numberFormatOf(organization, original.profileId));
      return await emailDocument(ports, issued, call);
    } catch (error) {
      const lostRace = error instanceof AppError && error.kind === 'conflict';
      if (!lostRace || round === MAX_ROUNDS) throw error;
    }
  }
}

/** The note as it mirrors the original: same parties, lines, language and style; what it gives back nobody has paid yet. */
async function draftNote(
  ports: Pick<Ports, 'invoices'>,
  original: IssuedInvoice,
  input: { readonly lines: readonly CreditAsk[]; readonly reason: string },
): Promise<UnnumberedInvoice> {
  const earlier = await ports.invoices.creditNotesOf(original.organizationId, original._id);
  const { credit } = requireValid(
    allValid({
      original: faultless(original, '/invoiceId', original.kind === 'invoice' ? undefined : 'is a credit note'),
      reason: faultless(input.reason, '/reason', textMessage(input.reason, { max: MAX_REASON, multiline: true })),
      credit: creditOf(original, earlier, input.lines),
    }),
  );
  const {
    number,
    series: _series,
    seq: _seq,
    hash: _hash,
    previousHash: _previous,
    prepayment: _paid,
    ...mirrored
  } = original;
  return {
    ...mirrored,
    ...credit,
    kind: 'credit_note',
    credited: { invoiceId: original._id, number, issueDate: original.issueDate },
    creditOrdinal: earlier.length + 1,
    reason: input.reason,
    delivery: { email: original.buyer.email !== '', post: false },
    checkoutId: null,
  };
}

import { allValid, AppError, faultless, notFoundError, refused, requireValid, type Checked } from '@invoicing/errors';
import { textMessage } from '@invoicing/rules';
import { businessDate } from './business-date';
import { creditOfAmount, creditOfRest, withinLeft } from './credit-amount';
import { creditOf, type Credit, type CreditAsk } from './credit-note';
import { publicPageOf, testMarkOf } from './freeze-invoice';
import type { IssuedInvoice, UnnumberedInvoice } from './issued-invoice';
import { deliverDocument } from './deliver-document';
import type { Created } from './email-document';
import { candidateNumber, issueDocument } from './issue-document';
import type { Organization } from '../organizations/organization';
import type { Ports } from '../billing-ports';
import { actorOfCall, type Call } from './invoice-ports';

const MAX_REASON = 500;
// Each lost round means another credit note of the same invoice was issued.
const MAX_ROUNDS = 10;

/** What to credit: lines, or a sum including VAT; neither: all that is left. */
export interface CreditInput {
  readonly lines: readonly CreditAsk[];
  readonly amountCents?: number | undefined;
  readonly reason: string;
}

type CreditPorts = Pick<
  Ports,
  | 'organizations'
  | 'invoices'
  | 'numbering'
  | 'mail'
  | 'peppol'
  | 'documents'
  | 'onError'
  | 'publicUrl'
  | 'newToken'
  | 'newId'
  | 'now'
>;

/**
 * Issues a credit note for an issued invoice, whole, by lines or of a sum. Two at once cannot give back more than there was: each takes the
 * next place among the invoice's credit notes, and a unique index lets only one have it.
 */
export async function creditInvoice(
  ports: CreditPorts,
  organizationId: string,
  invoiceId: string,
  input: CreditInput,
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
      return deliverDocument(ports, repeated, call);
    }
    const note = await unnumberedNote(ports, organization, original, input, id);
    try {
      const issued = await issueDocument(ports, note, organization, actorOfCall(call));
      return await deliverDocument(ports, issued, call);
    } catch (error) {
      const lostRace = error instanceof AppError && error.kind === 'conflict';
      if (!lostRace || round === MAX_ROUNDS) throw error;
    }
  }
}

/** What crediting would come to now, with the number that the note would get. Throws as crediting does; takes nothing. */
export async function previewCredit(
  ports: CreditPorts,
  organizationId: string,
  invoiceId: string,
  input: CreditInput,
): Promise<{ readonly note: UnnumberedInvoice; readonly number: string }> {
  const [organization, original] = await Promise.all([
    ports.organizations.find(organizationId),
    ports.invoices.find(organizationId, invoiceId),
  ]);
  if (!organization || !original) throw notFoundError('the invoice');
  const note = await unnumberedNote(ports, organization, original, input, ports.newId());
  return { note, number: await candidateNumber(ports, note, organization) };
}

async function unnumberedNote(
  ports: Pick<CreditPorts, 'invoices' | 'now' | 'newToken' | 'publicUrl'>,
  organization: Organization,
  original: IssuedInvoice,
  input: CreditInput,
  id: string,
): Promise<UnnumberedInvoice> {
  // Never before its invoice, whatever this replica's clock says: a list that shows the invoice shows the note too.
  const now = new Date(Math.max(ports.now(organization._id).getTime(), original.createdAt.getTime() + 1));
  const today = businessDate(now, organization.details.timezone);
  const token = ports.newToken();
  return {
    ...(await draftNote(ports, original, input)),
    ...testMarkOf(organization),
    _id: id,
    publicToken: token,
    publicUrl: publicPageOf(ports.publicUrl, token),
    issueDate: today,
    dueDate: today,
    issuedAt: now,
    createdAt: now,
  };
}

/** The note as it mirrors the original: same parties, lines, language and style; what it gives back nobody has paid yet. */
async function draftNote(
  ports: Pick<Ports, 'invoices'>,
  original: IssuedInvoice,
  input: CreditInput,
): Promise<UnnumberedInvoice> {
  const earlier = await ports.invoices.creditNotesOf(original.organizationId, original._id);
  const { credit } = requireValid(
    allValid({
      original: faultless(original, '/invoiceId', original.kind === 'invoice' ? undefined : 'is a credit note'),
      reason: faultless(input.reason, '/reason', textMessage(input.reason, { max: MAX_REASON, multiline: true })),
      credit: creditAsked(original, earlier, input),
    }),
  );
  const {
    number,
    series: _series,
    seq: _seq,
    hash: _hash,
    signature: _signature,
    previousHash: _previous,
    prepayment: _paid,
    note: _note,
    roundingTrace: _trace,
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

function creditAsked(
  original: IssuedInvoice,
  earlier: readonly IssuedInvoice[],
  { lines, amountCents }: CreditInput,
): Checked<Credit> {
  if (amountCents !== undefined) {
    if (lines.length > 0) return refused({ path: '/amountCents', message: 'goes without lines' });
    return creditOfAmount(original, earlier, amountCents);
  }
  // Where a sum was credited, what is left of the lines is not what is left of the money.
  const hasAmounts = earlier.some(({ creditedLines }) => creditedLines.length === 0);
  if (!hasAmounts) return creditOf(original, earlier, lines);
  if (lines.length === 0) return creditOfRest(original, earlier);
  const credit = creditOf(original, earlier, lines);
  return credit.violations ? credit : withinLeft(credit.value, original, earlier);
}

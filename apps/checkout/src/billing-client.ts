import {
  InvoiceKind,
  InvoiceStatus,
  InvoicesService,
  type Invoice,
  type Party,
} from '@invoicing/contracts/invoicing/billing/v1/invoices';
import { vatTreatmentFromJSON, type Line as LineMessage } from '@invoicing/contracts/invoicing/billing/v1/line';
import { Mode, OrganizationsService } from '@invoicing/contracts/invoicing/billing/v1/organizations';
import { AppError } from '@invoicing/errors';
import { newCallContext, type RpcChannel } from '@invoicing/rpc';
import { type Line, type Payer, type Totals } from './sessions/session';
import { type Billing, type Call, type LineRequest, type PayableInvoice } from './sessions/session-ports';

/** The caller's deadline, trace and cancellation go on; its operation id is its own. */
const context = (call: Call, operationId?: string) => newCallContext(0, { ...call, operationId });

/** Billing over gRPC. */
export function billingClient(channel: RpcChannel): Billing {
  const invoices = channel.client(InvoicesService);
  const organizations = channel.client(OrganizationsService);
  return {
    seller: async (organizationId, call) => {
      const { details, mode, profiles } = await organizations.getOrganization({ organizationId }, context(call));
      return { name: details?.name ?? '', mode: mode === Mode.TEST ? 'test' : 'live', profiles };
    },
    priceLines: async (organizationId, lines, call) => {
      const priced = await invoices.priceLines({ organizationId, lines: lines.map(lineInput) }, context(call));
      return { lines: priced.lines, totals: present(priced.totals), currency: priced.currency };
    },
    issueInvoice: async ({ lines, profileId, buyer, ...invoice }, operationId, call) => {
      const { id, number, publicToken } = await invoices.createInvoice(
        {
          ...invoice,
          lines: lines.map(lineInput),
          buyer: party(buyer),
          profileId: profileId ?? undefined,
          send: true,
          post: false,
          requireEInvoice: false,
        },
        context(call, operationId),
      );
      return { id, number, publicToken };
    },
    recordPayment: async ({ checkoutId, ...record }, call) => {
      await invoices.recordPayment({ ...record, checkoutId: checkoutId ?? undefined }, context(call));
    },
    publicInvoice: async (publicToken, call) => {
      try {
        return payable(await invoices.getPublicInvoice({ publicToken }, context(call)));
      } catch (error) {
        if (error instanceof AppError && (error.kind === 'absent' || error.kind === 'invalid')) return null;
        throw error;
      }
    },
  };
}

/** What a line asks for: of a priced line everything is said, so that a product that changes later changes nothing. */
const lineInput = ({ description, quantity, unitPriceCents, vatTreatment, productId }: LineRequest | Line) => ({
  description,
  quantity,
  unitPriceCents,
  vatTreatment: vatTreatmentFromJSON(vatTreatment),
  productId,
});

function payable(invoice: Invoice): PayableInvoice {
  const { id, organizationId, profileId, number, publicToken, publicUrl, seller, currency } = invoice;
  const totals = present<Totals>(invoice.totals);
  const paid = invoice.status === InvoiceStatus.PAID;
  return {
    id,
    organizationId,
    profileId: profileId || null,
    number,
    publicToken,
    publicUrl,
    sellerName: seller?.companyName || seller?.name || '',
    lines: invoice.lines satisfies LineMessage[],
    totals,
    currency,
    paid,
    // An invoice of a checkout session has its payment already; billing is about to hear of it.
    payable:
      invoice.status === InvoiceStatus.SENT &&
      invoice.kind === InvoiceKind.INVOICE &&
      totals.inclCents > 0 &&
      !invoice.checkoutId,
  };
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new AppError('internal', 'generic', 'billing answered without totals');
  return value;
}

const party = (payer: Payer): Party => ({
  name: payer.name,
  companyName: payer.companyName ?? '',
  addressLine1: payer.addressLine1 ?? '',
  postalCode: payer.postalCode ?? '',
  city: payer.city ?? '',
  countryCode: payer.countryCode ?? '',
  btwId: payer.btwId ?? '',
  kvkNumber: payer.kvkNumber ?? '',
  email: payer.email,
  iban: '',
  bic: '',
});

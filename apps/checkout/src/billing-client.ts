import { AccountsService, MovementKind } from '@invoicing/contracts/invoicing/billing/v1/account';
import { BrandsService } from '@invoicing/contracts/invoicing/billing/v1/brands';
import {
  InvoiceStatus,
  InvoicesService,
  type Invoice,
  type Party,
} from '@invoicing/contracts/invoicing/billing/v1/invoices';
import { vatTreatmentFromJSON, type Line as LineMessage } from '@invoicing/contracts/invoicing/billing/v1/line';
import { ClocksService } from '@invoicing/contracts/invoicing/billing/v1/clocks';
import { Mode, OrganizationsService } from '@invoicing/contracts/invoicing/billing/v1/organizations';
import { brand } from '@invoicing/design';
import { AppError } from '@invoicing/errors';
import { type Ahead } from '@invoicing/mongo';
import { newCallContext, type RpcChannel } from '@invoicing/rpc';
import { termsSaid, type Line, type PayerPrefill, type Totals } from './sessions/session';
import { type Billing, type Call, type LineRequest, type PayableInvoice } from './sessions/session-ports';

/** The caller's deadline, trace and cancellation go on; its operation id is its own. */
const context = (call: Call, operationId?: string) => newCallContext(0, { ...call, operationId });

/** Billing over gRPC. */
export function billingClient(channel: RpcChannel): Billing {
  const invoices = channel.client(InvoicesService);
  const organizations = channel.client(OrganizationsService);
  const accounts = channel.client(AccountsService);
  const brands = channel.client(BrandsService);
  return {
    seller: async (organizationId, call) => {
      const { details, mode, profiles } = await organizations.getOrganization({ organizationId }, context(call));
      return { name: details?.name ?? '', mode: mode === Mode.TEST ? 'test' : 'live', profiles };
    },
    priceLines: async ({ organizationId, lines, pricesIncludeVat, buyer }, call) => {
      const request = { organizationId, lines: lines.map(lineInput), pricesIncludeVat, buyer: party(buyer) };
      const { totals, ...priced } = await invoices.priceLines(request, context(call));
      return { ...priced, totals: present(totals) };
    },
    issueInvoice: async ({ lines, terms, profileId, buyer, ...invoice }, operationId, call) => {
      const { id, number, publicToken } = await invoices.createInvoice(
        {
          ...invoice,
          ...terms,
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
    recordPayment: async ({ organizationId, invoiceId, checkoutId, payment }, call) => {
      const { id: providerId, ...paid } = payment;
      const texts = { reference: '', note: '' };
      const change = await accounts.recordPayment(
        { organizationId, invoiceId, ...paid, providerId, ...texts, checkoutId: checkoutId ?? undefined },
        context(call),
      );
      return { entryId: present(change.entries[0]).id, surplusCents: change.surplusCents };
    },
    refundSurplus: async (refund, operationId, call) => {
      const back = { through: '', reason: '', keepOpen: true, surplusOnly: true, reference: '' };
      await accounts.refundPayment({ ...refund, ...back }, context(call, operationId));
    },
    recordMovement: async ({ movement, ...payment }, call) => {
      const { id: providerId, kind, entryId, ...moved } = movement;
      const told = { ...payment, ...moved, providerId, kind: MOVEMENTS[kind], entryId: entryId ?? undefined };
      await accounts.recordMovement(told, context(call));
    },
    brand: async ({ organizationId, profileId, invoiceId }, call) => {
      const found = await brands.getBrand(
        invoiceId === null ? { organizationId, profileId: profileId ?? undefined } : { organizationId, invoiceId },
        context(call),
      );
      const { sellerName, kvkNumber, btwId, email, phone } = found;
      return {
        brand: brand({ ...found, seller: { name: sellerName, kvkNumber, btwId, email, phone } }),
        isTest: found.test,
      };
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

const CLOCKS_TIMEOUT_MS = 2_000;

/** How far the clocks of test organisations run ahead. */
export function clocksClient(channel: RpcChannel): () => Promise<Ahead> {
  const clocks = channel.client(ClocksService);
  return async () => {
    const found = await clocks.listClocks({}, newCallContext(CLOCKS_TIMEOUT_MS));
    return new Map(found.clocks.map(({ organizationId, aheadMs }) => [organizationId, aheadMs]));
  };
}

/** What a line asks for: of a priced line everything is said, so that a product that changes later changes nothing. */
const lineInput = ({
  description,
  quantity,
  unitPriceCents,
  vatTreatment,
  productId,
  unit,
  discountBps,
}: LineRequest | Line) => ({
  description,
  quantity,
  unitPriceCents,
  vatTreatment: vatTreatmentFromJSON(vatTreatment),
  productId,
  unit,
  discountBps,
});

function payable(invoice: Invoice): PayableInvoice {
  const { id, organizationId, profileId, number, publicToken, publicUrl, seller, currency, language } = invoice;
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
    language,
    lines: invoice.lines satisfies LineMessage[],
    totals,
    terms: termsSaid(invoice),
    currency,
    paid,
    openCents: invoice.openCents,
  };
}

const MOVEMENTS = { refund: MovementKind.REFUND, chargeback: MovementKind.CHARGEBACK } as const;

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new AppError('internal', 'generic', 'billing left out what it always says');
  return value;
}

const party = (payer: PayerPrefill): Party => ({
  name: payer.name ?? '',
  companyName: payer.companyName ?? '',
  addressLine1: payer.addressLine1 ?? '',
  postalCode: payer.postalCode ?? '',
  city: payer.city ?? '',
  countryCode: payer.countryCode ?? '',
  btwId: payer.btwId ?? '',
  kvkNumber: payer.kvkNumber ?? '',
  email: payer.email ?? '',
  iban: '',
  bic: '',
});

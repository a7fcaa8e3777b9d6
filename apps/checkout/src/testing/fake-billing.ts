import { randomUUID } from 'node:crypto';
import { Brand, BrandsService } from '@invoicing/contracts/invoicing/billing/v1/brands';
import { AccountsService } from '@invoicing/contracts/invoicing/billing/v1/account';
import {
  InvoiceKind,
  InvoiceStatus,
  InvoicesService,
  Party,
  type CreateInvoiceRequest,
  type Invoice,
} from '@invoicing/contracts/invoicing/billing/v1/invoices';
import { VatTreatment, type LineInput, type Line, type Totals } from '@invoicing/contracts/invoicing/billing/v1/line';
import {
  Mode,
  OrganizationsService,
  Profile,
  type Organization,
} from '@invoicing/contracts/invoicing/billing/v1/organizations';
import { notFoundError, validationError } from '@invoicing/errors';
import { serveRpc, type Handlers, type RpcServer } from '@invoicing/rpc';
import { createLogger } from '@invoicing/telemetry';
import { openService, testIdentity } from '@invoicing/testing';
import { FakeAccounts } from './fake-accounts';

/** How long the caller waits, epoch milliseconds. */
interface Deadlined {
  readonly deadline: number;
}

/**
 * Billing's contract in memory, over real gRPC: enough of it to sell something. What it holds outlives a restart, as a store does.
 * `interfere` runs around every call, so that a test can lose requests and answers.
 */
export class FakeBilling {
  readonly organizations = new Map<string, Organization>();
  readonly invoices = new Map<string, Invoice>();
  /** One entry for each e-mail and each invoice.paid that billing would cause. */
  readonly mailed: string[] = [];
  readonly paidEvents: string[] = [];
  readonly accounts = new FakeAccounts(this.invoices, (invoiceId) => this.paidEvents.push(invoiceId));
  interfere: (when: 'before' | 'after', method: string, call: Deadlined) => Promise<void> | void = () => undefined;
  private server: RpcServer | undefined;

  constructor(private readonly publicUrl: string) {}

  addOrganization(mode = Mode.TEST): Organization {
    const organization: Organization = {
      id: randomUUID(),
      details: { name: 'Bakkerij De Ochtend B.V.' },
      plan: 'PLAN_STANDARD' as Organization['plan'],
      billingStatus: 'BILLING_STATUS_ACTIVE' as Organization['billingStatus'],
      mode,
      currency: 'EUR',
      profiles: [Profile.create({ id: randomUUID(), name: 'De Ochtend' })],
      revision: 0,
      createdAt: new Date(),
      warnings: [],
    };
    this.organizations.set(organization.id, organization);
    return organization;
  }

  async start(port: number): Promise<number> {
    this.server = await serveRpc({
      host: '127.0.0.1',
      port,
      identity: testIdentity('billing'),
      log: createLogger('billing', 'silent'),
      isHealthy: () => true,
      services: [
        openService(AccountsService, this.around(this.accounts.handlers()) as Handlers<typeof AccountsService>),
        openService(InvoicesService, this.around(this.invoiceHandlers()) as Handlers<typeof InvoicesService>),
        openService(BrandsService, this.around(this.brandHandlers())),
        openService(
          OrganizationsService,
          this.around({
            getOrganization: async ({ organizationId }: { organizationId: string }) => {
              const found = this.organizations.get(organizationId);
              if (!found) throw notFoundError('the organisation');
              return found;
            },
          }) as unknown as Handlers<typeof OrganizationsService>,
        ),
      ],
    });
    return this.server.port;
  }

  async stop(): Promise<void> {
    await this.server?.close();
    this.server = undefined;
  }

  private around<T extends object>(handlers: T): T {
    const wrapped = Object.entries(handlers).map(([name, handle]) => [
      name,
      async (request: unknown, call: Deadlined) => {
        await this.interfere('before', name, call);
        const answer = await (handle as (request: unknown, call: Deadlined) => Promise<unknown>)(request, call);
        await this.interfere('after', name, call);
        return answer;
      },
    ]);
    return Object.fromEntries(wrapped) as T;
  }

  private brandHandlers(): Handlers<typeof BrandsService> {
    return {
      getBrand: async ({ organizationId }) => {
        const found = this.organizations.get(organizationId);
        if (!found) throw notFoundError('the organisation');
        const { name = '', style } = found.profiles[0] ?? {};
        const { accentColor = '', footer = '', logo } = style ?? {};
        return Brand.create({
          ...{ name, accentColor, footer, logo, test: found.mode === Mode.TEST },
          ...{ sellerName: found.details?.name ?? '', kvkNumber: '12345678', email: 'boek@ochtend.example' },
        });
      },
    };
  }

  private invoiceHandlers(): Partial<Handlers<typeof InvoicesService>> {
    return {
      priceLines: async ({ lines }) => ({ ...price(lines), currency: 'EUR', warnings: [] }),
      createInvoice: async (request, { operationId = randomUUID() }) => {
        const invoice = this.invoices.get(operationId) ?? this.issue(operationId, request);
        return {
          id: invoice.id,
          number: invoice.number,
          publicToken: invoice.publicToken,
          emailed: true,
          emailError: '',
          warnings: [],
        };
      },
      getPublicInvoice: async ({ publicToken }) => {
        const found = [...this.invoices.values()].find((invoice) => invoice.publicToken === publicToken);
        if (!found) throw notFoundError('the invoice');
        return { ...found, openCents: this.accounts.openCents(found) };
      },
    };
  }

  issue(
    id: string,
    request: Pick<
      CreateInvoiceRequest,
      'organizationId' | 'customerId' | 'lines' | 'checkoutId' | 'prepayment' | 'language'
    >,
  ): Invoice {
    const { organizationId, customerId, checkoutId, prepayment, language = '' } = request;
    const publicToken = `inv-${randomUUID()}`;
    const invoice = {
      id,
      organizationId,
      customerId,
      checkoutId,
      prepayment,
      language,
      profileId: this.organizations.get(organizationId)?.profiles[0]?.id ?? '',
      kind: InvoiceKind.INVOICE,
      status: InvoiceStatus.SENT,
      number: `2026-${String(this.invoices.size + 1).padStart(4, '0')}`,
      publicToken,
      publicUrl: `${this.publicUrl}/p/${publicToken}`,
      currency: 'EUR',
      seller: Party.fromPartial({ name: 'Bakkerij De Ochtend B.V.' }),
      ...price(request.lines),
      warnings: [],
    } as unknown as Invoice;
    this.invoices.set(id, invoice);
    this.mailed.push(id);
    return invoice;
  }
}

const RATES: Partial<Record<VatTreatment, number>> = {
  [VatTreatment.STANDARD_21]: 2100,
  [VatTreatment.REDUCED_9]: 900,
};

/** Whole quantities only. */
function price(inputs: readonly LineInput[]): { lines: Line[]; totals: Totals } {
  const violations = inputs.flatMap(({ unitPriceCents, productId }, index) => [
    ...(unitPriceCents === undefined ? [{ path: `/lines/${index}/unitPriceCents`, message: 'is required' }] : []),
    ...(productId === undefined ? [] : [{ path: `/lines/${index}/productId`, message: 'does not exist' }]),
  ]);
  if (violations.length > 0) throw validationError(violations);
  const lines = inputs.map(({ description = 'Regel', quantity = '1', unitPriceCents = 0, vatTreatment }): Line => {
    const treatment = vatTreatment === VatTreatment.UNSPECIFIED ? VatTreatment.STANDARD_21 : vatTreatment;
    return {
      description,
      quantity,
      unitPriceCents,
      vatTreatment: treatment,
      netCents: Number(quantity) * unitPriceCents,
      unit: '',
    };
  });
  const groups = [...new Set(lines.map((line) => line.vatTreatment))].map((vatTreatment) => {
    const rateBps = RATES[vatTreatment] ?? 0;
    const baseCents = sum(lines.filter((line) => line.vatTreatment === vatTreatment).map((line) => line.netCents));
    return { vatTreatment, rateBps, baseCents, vatCents: Math.round((baseCents * rateBps) / 10_000) };
  });
  const exclCents = sum(groups.map(({ baseCents }) => baseCents));
  const vatCents = sum(groups.map((group) => group.vatCents));
  return { lines, totals: { exclCents, vatCents, inclCents: exclCents + vatCents, groups } };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

import { AccountsService } from '@invoicing/contracts/invoicing/billing/v1/account';
import { BankStatementsService } from '@invoicing/contracts/invoicing/billing/v1/bank_statements';
import { BrandsService } from '@invoicing/contracts/invoicing/billing/v1/brands';
import { ExportsService } from '@invoicing/contracts/invoicing/billing/v1/exports';
import { HistoryService } from '@invoicing/contracts/invoicing/billing/v1/history';
import { InvoiceMailsService } from '@invoicing/contracts/invoicing/billing/v1/invoice_mails';
import { InvoicesService } from '@invoicing/contracts/invoicing/billing/v1/invoices';
import { OverviewsService } from '@invoicing/contracts/invoicing/billing/v1/overview';
import { PreviewsService } from '@invoicing/contracts/invoicing/billing/v1/previews';
import { PeriodsService } from '@invoicing/contracts/invoicing/billing/v1/periods';
import { VatReturnsService } from '@invoicing/contracts/invoicing/billing/v1/vat_return';
import { OrganizationsService } from '@invoicing/contracts/invoicing/billing/v1/organizations';
import { openChannel, type RpcClient } from '@invoicing/rpc';
import { RemindersService } from '@invoicing/contracts/invoicing/billing/v1/reminders';
import { createLogger } from '@invoicing/telemetry';
import { startTestStore, testIdentity } from '@invoicing/testing';
import type { BillingConfig } from '../config';
import { startBilling } from '../service';
import { servePeers } from './billing-peers';

const NOBODY = '127.0.0.1:1';
const HOST = '127.0.0.1';

/** Billing in this process with its real parts and a real store; catalog and notification are imitated over gRPC. */
export async function startBillingHarness(options: { natsUrl?: string; seriesKey?: string } = {}) {
  const log = createLogger('billing', process.env['LOG_LEVEL'] ?? 'silent');
  const store = await startTestStore();
  const { peers, port: peersPort, close: closePeers } = await servePeers(log);
  const address = `${HOST}:${peersPort}`;
  const start = (changes: Partial<BillingConfig> = { seriesKey: options.seriesKey }) =>
    startBilling(
      {
        host: HOST,
        port: 0,
        httpPort: 0,
        mongoUri: store.uri,
        natsUrl: options.natsUrl ?? `nats://${NOBODY}`,
        publicUrl: 'https://pay.example',
        catalogAddress: address,
        checkoutAddress: address,
        notificationAddress: address,
        identity: testIdentity('billing'),
        ...changes,
      },
      log,
    );
  const billing = await start();
  const channels: { close: () => void }[] = [];
  const as = (caller: string, to: { port: number } = billing) => {
    const channel = openChannel(`${HOST}:${to.port}`, testIdentity(caller));
    channels.push(channel);
    return {
      bank: channel.client(BankStatementsService) as RpcClient<typeof BankStatementsService>,
      accounts: channel.client(AccountsService) as RpcClient<typeof AccountsService>,
      brands: channel.client(BrandsService) as RpcClient<typeof BrandsService>,
      exports: channel.client(ExportsService) as RpcClient<typeof ExportsService>,
      periods: channel.client(PeriodsService) as RpcClient<typeof PeriodsService>,
      vatReturns: channel.client(VatReturnsService) as RpcClient<typeof VatReturnsService>,
      history: channel.client(HistoryService) as RpcClient<typeof HistoryService>,
      invoices: channel.client(InvoicesService) as RpcClient<typeof InvoicesService>,
      invoiceMails: channel.client(InvoiceMailsService) as RpcClient<typeof InvoiceMailsService>,
      overviews: channel.client(OverviewsService) as RpcClient<typeof OverviewsService>,
      previews: channel.client(PreviewsService) as RpcClient<typeof PreviewsService>,
      reminders: channel.client(RemindersService) as RpcClient<typeof RemindersService>,
      organizations: channel.client(OrganizationsService) as RpcClient<typeof OrganizationsService>,
    };
  };
  return {
    store,
    peers,
    billing,
    /** Another process of the same service, as far as the store can tell. */
    startSecond: () => start(),
    /** Another process of the same service that is set otherwise. */
    startWith: (changes: Partial<BillingConfig>) => start(changes),
    as,
    close: async () => {
      for (const channel of channels) channel.close();
      await billing.close();
      await closePeers();
      await store.close();
    },
  };
}

export type BillingHarness = Awaited<ReturnType<typeof startBillingHarness>>;

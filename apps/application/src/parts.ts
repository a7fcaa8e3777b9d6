import { customerRoutes } from './catalog/customer-routes';
import { productRoutes } from './catalog/product-routes';
import { checkoutRoutes } from './checkouts/checkout-routes';
import { keyRoutes } from './developers/key-routes';
import { webhookRoutes } from './developers/webhook-routes';
import { historyRoutes } from './history/history-routes';
import { homeRoutes } from './home/home-routes';
import { creditRoutes } from './invoices/credit-routes';
import { draftRoutes } from './invoices/draft-routes';
import { invoiceRoutes } from './invoices/invoice-routes';
import { issueRoutes } from './invoices/issue-routes';
import { paymentRoutes } from './invoices/payment-routes';
import type { AddPart } from './pages/workplace-routes';
import { memberRoutes } from './people/member-routes';
import type { PeoplePorts } from './people/people-ports';
import type { Peers } from './peers-client';
import { settingsRoutes } from './settings/settings-routes';
import { subscriptionRoutes } from './subscriptions/subscription-routes';

/** Every part of the application. */
export const parts = (peers: Peers, people: PeoplePorts): readonly AddPart[] => [
  homeRoutes(peers),
  // Before the pages of one invoice: `new` is no id.
  draftRoutes(peers),
  issueRoutes(peers),
  paymentRoutes(peers),
  creditRoutes(peers),
  invoiceRoutes(peers),
  customerRoutes(peers),
  productRoutes(peers),
  subscriptionRoutes(peers),
  checkoutRoutes(peers),
  memberRoutes(people),
  keyRoutes(peers),
  webhookRoutes(peers),
  historyRoutes(peers),
  settingsRoutes(),
];

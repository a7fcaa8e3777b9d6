import { bankAnswerRoutes } from './bank/bank-answer-routes';
import { bankRoutes } from './bank/bank-routes';
import { booksRoutes } from './books/books-routes';
import { periodRoutes } from './books/period-routes';
import { customerRoutes } from './catalog/customer-routes';
import { mergeRoutes } from './catalog/merge-routes';
import { peppolRoutes } from './catalog/peppol-routes';
import { productRoutes } from './catalog/product-routes';
import { vatCheckRoutes } from './catalog/vat-check-routes';
import { checkoutRoutes } from './checkouts/checkout-routes';
import { keyRoutes } from './developers/key-routes';
import { requestRoutes } from './developers/request-routes';
import { webhookRoutes } from './developers/webhook-routes';
import { choiceRoutes } from './editor/choice-routes';
import { historyRoutes } from './history/history-routes';
import { homeRoutes } from './home/home-routes';
import { accountRoutes } from './invoices/account-routes';
import { creditRoutes } from './invoices/credit-routes';
import { draftRoutes } from './invoices/draft-routes';
import { invoiceRoutes } from './invoices/invoice-routes';
import { issueRoutes } from './invoices/issue-routes';
import { listRoutes } from './invoices/list-routes';
import { paymentRoutes } from './invoices/payment-routes';
import { sendRoutes } from './invoices/send-routes';
import type { AddPart } from './pages/workplace-routes';
import { memberRoutes } from './people/member-routes';
import type { Peers } from './peers-client';
import { planRoutes } from './reminders/plan-routes';
import { reminderRoutes } from './reminders/reminder-routes';
import { accessPointRoutes } from './settings/access-point-routes';
import { mailCreditRoutes } from './settings/mail-credit-routes';
import { mailRoutes } from './settings/mail-routes';
import { organizationRoutes } from './settings/organization-routes';
import { profileRoutes } from './settings/profile-routes';
import { providerRoutes } from './settings/provider-routes';
import { settingsRoutes } from './settings/settings-routes';
import type { SignInPorts } from './sign-in/sign-in-ports';
import { subscriptionRoutes } from './subscriptions/subscription-routes';

/** Every part of the application. */
export const parts = (peers: Peers, people: SignInPorts): readonly AddPart[] => [
  homeRoutes(peers),
  choiceRoutes(peers),
  // Before the pages of one invoice: `new` is no id.
  draftRoutes(peers),
  issueRoutes(peers),
  paymentRoutes(peers),
  accountRoutes(peers),
  creditRoutes(peers),
  sendRoutes(peers),
  listRoutes(peers),
  invoiceRoutes(peers),
  customerRoutes(peers),
  mergeRoutes(peers),
  vatCheckRoutes(peers),
  peppolRoutes(peers),
  productRoutes(peers),
  subscriptionRoutes(peers),
  checkoutRoutes(peers),
  bankRoutes(peers),
  bankAnswerRoutes(peers),
  reminderRoutes(peers),
  planRoutes(peers),
  booksRoutes(peers),
  periodRoutes(peers),
  memberRoutes(people),
  keyRoutes(peers),
  webhookRoutes(peers),
  requestRoutes(peers),
  historyRoutes(peers, people),
  settingsRoutes(peers),
  organizationRoutes(peers),
  profileRoutes(peers),
  providerRoutes(peers),
  accessPointRoutes(peers),
  mailRoutes(peers),
  mailCreditRoutes(peers),
];

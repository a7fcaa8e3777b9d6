import { notFoundError } from '@invoicing/errors';
import { readAccount, type Account } from '../account/account';
import type { Draft } from './draft';
import type { IssuedInvoice } from './issued-invoice';
import type { Ports } from '../billing-ports';

/** An issued document as it is now. */
export interface FoundIssued {
  readonly issued: IssuedInvoice;
  readonly account: Account;
  /** Of a test organisation; known of documents from before it was frozen on them, too. */
  readonly test: boolean;
  /** Of a credit note: what is still to be paid of the invoice that it credits; below zero when more was paid than is owed. */
  readonly creditedOpenCents?: number | undefined;
}

/** A document as it is now: an issued one with its account, or an open draft. */
export type FoundInvoice = FoundIssued | { readonly draft: Draft };

type Sources = Pick<Ports, 'invoices' | 'accounts' | 'organizations'>;

/** Throws `not_found`; the document of another organisation looks exactly like one that does not exist. */
export async function getInvoice(
  ports: Sources & Pick<Ports, 'drafts'>,
  organizationId: string,
  id: string,
): Promise<FoundInvoice> {
  const issued = await ports.invoices.find(organizationId, id);
  if (issued) return foundIssued(ports, issued);
  const draft = await ports.drafts.find(organizationId, id);
  if (draft) return { draft };
  throw notFoundError('the invoice');
}

/** By the token of its public page. A draft has no page. */
export async function getPublicInvoice(ports: Sources, publicToken: string): Promise<FoundIssued> {
  const issued = await ports.invoices.findByToken(publicToken);
  if (!issued) throw notFoundError('the invoice');
  return foundIssued(ports, issued);
}

async function foundIssued(ports: Sources, issued: IssuedInvoice): Promise<FoundIssued> {
  const [account, organization, creditedOpenCents] = await Promise.all([
    readAccount(ports, issued),
    issued.test ? null : ports.organizations.find(issued.organizationId),
    openOfCredited(ports, issued),
  ]);
  return { issued, account, test: issued.test === true || organization?.mode === 'test', creditedOpenCents };
}

/** Of a credit note: what is still to be paid of the invoice that it credits. */
export async function openOfCredited(
  ports: Pick<Sources, 'invoices' | 'accounts'>,
  { organizationId, credited }: IssuedInvoice,
): Promise<number | undefined> {
  const original = credited && (await ports.invoices.find(organizationId, credited.invoiceId));
  return original ? (await readAccount(ports, original)).now.openCents : undefined;
}

/** The organisation that a draft or invoice belongs to; for operators, who name an invoice by its id alone. */
export async function organizationOf(
  { invoices, drafts }: Pick<Ports, 'invoices' | 'drafts'>,
  id: string,
): Promise<string> {
  const found = (await invoices.organizationOf(id)) ?? (await drafts.organizationOf(id));
  if (found === undefined) throw notFoundError('the invoice');
  return found;
}

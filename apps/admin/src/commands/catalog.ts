import { Option, type Command } from 'commander';
import {
  ArchivedFilter,
  type Customer,
  type CustomerDetails,
  type Product,
  type ProductDetails,
} from '@invoicing/contracts/invoicing/catalog/v1/catalog';
import type { VatCheck } from '@invoicing/contracts/invoicing/vies/v1/vat_check';
import { operatorCall, type Services } from '../platform';
import { concluded, verb } from '../verb';
import { addPersonalData } from './personal-data';

interface ListFlags extends Record<string, unknown> {
  org: string;
  text?: string;
  archived?: string;
  limit: number;
  cursor?: string;
}

type Revision = { revision?: number; undo?: boolean };
type CustomerFlags = Revision & { clear?: string[] } & Partial<CustomerDetails>;
type ProductFlags = Revision & { clear?: string[] } & Partial<ProductDetails>;

const shown = ({ details, updatedBy, ...record }: Customer | Product) => ({
  ...record,
  ...details,
  updatedBy: updatedBy && (updatedBy.label ?? updatedBy.id),
});

const rowOf = ({ id, revision, updatedAt, archivedAt, details }: Customer | Product) => ({
  id,
  ...details,
  revision,
  updatedAt,
  archivedAt,
});

const filterOf = ({ org, text, archived, limit, cursor }: ListFlags) => ({
  organizationId: org,
  text,
  limit,
  cursor,
  archived: archived === 'only' ? ArchivedFilter.ONLY : archived === 'all' ? ArchivedFilter.INCLUDED : undefined,
});

const withFilter = (command: Command, searched: string): Command =>
  command
    .requiredOption('--org <id>')
    .option('--text <text>', `only where ${searched} contains it`)
    .addOption(new Option('--archived <which>', 'also, or only, what is archived').choices(['all', 'only']))
    .option('--limit <n>', '1 to 100', Number, 100)
    .option('--cursor <cursor>', 'as the page before answered it');

const withRevision = (command: Command): Command =>
  command.option('--revision <n>', 'refuse when it has changed since this revision', Number);

const withClear = (command: Command): Command =>
  withRevision(command).option('--clear <fields>', 'fields to empty, e.g. email,city', (text) => text.split(','));

/** What an update says: the flags that were given, and those to clear. */
function changesOf<D extends object>({ clear = [], revision, ...given }: Revision & { clear?: string[] } & Partial<D>) {
  return { revision, given, updateMask: [...Object.keys(given), ...clear] };
}

export function addCustomer(program: Command): void {
  const customer = program.command('customer').description('customers: the buyers of an organisation');

  withFilter(
    verb<ListFlags>(customer, 'list', 'customers, newest first', async ({ customers }, flags) => {
      const page = await customers.listCustomers(filterOf(flags), operatorCall());
      return { customers: page.customers.map(rowOf), cursor: page.cursor ?? null };
    }),
    'the name, company, e-mail address, city or own id',
  );
  verb(customer, 'show <id>', 'one customer', async ({ customers }, _flags, id) =>
    shown(await customers.getCustomer({ organizationId: '', customerId: id! }, operatorCall())),
  );
  withClear(
    verb<CustomerFlags>(customer, 'update <id>', 'change what is given', async ({ customers }, flags, id) => {
      const { given, ...change } = changesOf<CustomerDetails>(flags);
      const request = { organizationId: '', customerId: id!, details: { name: '', ...given }, ...change };
      return shown(await customers.updateCustomer(request, operatorCall()));
    }),
  )
    .option('--name <name>')
    .option('--email <address>')
    .option('--company-name <name>')
    .option('--address-line1 <text>', 'street and house number')
    .option('--postal-code <code>')
    .option('--city <name>')
    .option('--country-code <code>', 'ISO 3166-1 alpha-2')
    .option('--btw-id <id>', 'VAT identification number')
    .option('--kvk-number <number>', 'chamber of commerce number')
    .option('--external-id <id>', "the integrator's own id")
    .option('--language <code>', 'of documents and e-mails: nl, en, de or fr; of the country when cleared');
  withRevision(
    verb<Revision>(
      customer,
      'archive <id>',
      'hide from lists; documents and schedules go on',
      async ({ customers }, { revision, undo = false }, id) =>
        shown(await customers.archiveCustomer({ organizationId: '', customerId: id!, revision, undo }, operatorCall())),
    ),
  ).option('--undo', 'show it in lists again');
  addVatCheck(customer);
  addPersonalData(customer);
}

interface Checked {
  readonly check: VatCheck | null;
  /** The code of VIES for why there is none. */
  readonly unavailable: string;
}

function addVatCheck(customer: Command): void {
  verb<Record<string, never>, Checked>(
    customer,
    'check-vat <id>',
    'look the VAT number up at VIES; the answer is kept, and frozen with each invoice that is issued after it',
    async ({ customers, organizations, vatChecks }: Services, _flags, id) => {
      const { organizationId } = await customers.getCustomer({ organizationId: '', customerId: id! }, operatorCall());
      const { details } = await organizations.getOrganization({ organizationId }, operatorCall());
      const asked = { organizationId, customerId: id!, requesterVatId: details?.btwId ?? '' };
      const { customer: found, unavailable } = await vatChecks.checkVatId(asked, operatorCall(30_000));
      return { check: found?.vatCheck ?? null, unavailable };
    },
    ({ check, unavailable }) =>
      check
        ? concluded('check', check, `${check.vatId} is ${check.valid ? 'valid' : 'not valid'}, says VIES`)
        : `VIES did not answer (${unavailable}): nothing is known, nothing is kept`,
  );
}

export function addProduct(program: Command): void {
  const product = program.command('product').description('products: what an organisation sells');

  withFilter(
    verb<ListFlags>(product, 'list', 'products, newest first', async ({ products }, flags) => {
      const page = await products.listProducts(filterOf(flags), operatorCall());
      return { products: page.products.map(rowOf), cursor: page.cursor ?? null };
    }),
    'the name or article number',
  );
  verb(product, 'show <id>', 'one product', async ({ products }, _flags, id) =>
    shown(await products.getProduct({ organizationId: '', productId: id! }, operatorCall())),
  );
  withClear(
    verb<ProductFlags>(product, 'update <id>', 'change what is given', async ({ products }, flags, id) => {
      const { given, ...change } = changesOf<ProductDetails>(flags);
      const request = {
        organizationId: '',
        productId: id!,
        details: { name: '', unitPriceCents: 0, ...given },
        ...change,
      };
      return shown(await products.updateProduct(request, operatorCall()));
    }),
  )
    .option('--name <name>')
    .option('--unit-price-cents <cents>', 'excluding VAT', Number)
    .option('--vat-rate-bps <points>', 'basis points, e.g. 2100', Number)
    .option('--unit <word>', 'e.g. uur, stuk')
    .option('--sku <number>', 'own article number');
  withRevision(
    verb<Revision>(
      product,
      'archive <id>',
      'hide from lists; drafts and schedules go on',
      async ({ products }, { revision, undo = false }, id) =>
        shown(await products.archiveProduct({ organizationId: '', productId: id!, revision, undo }, operatorCall())),
    ),
  ).option('--undo', 'show it in lists again');
}

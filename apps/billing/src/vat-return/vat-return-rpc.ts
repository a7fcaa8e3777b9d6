import {
  Supply,
  VatReturnsService,
  type VatLine as LineMessage,
  type VatReturn,
} from '@invoicing/contracts/invoicing/billing/v1/vat_return';
import { notFoundError } from '@invoicing/errors';
import { bindService, type BoundService } from '@invoicing/rpc';
import type { ExportPorts } from '../exports/export-ports';
import { issuePolicyOf } from '../organizations/organization';
import { taxPeriod } from './tax-period';
import { inFavour, VatFold } from './vat-figures';
import { vatLines, type VatLine } from './vat-line';

type VatPorts = Pick<ExportPorts, 'organizations' | 'books'>;

const SUPPLIES = { goods: Supply.GOODS, services: Supply.SERVICES } as const;

/** What issued documents say for a VAT return, and the list behind it. */
export const vatReturnsService = (ports: VatPorts): BoundService =>
  bindService(
    VatReturnsService,
    {
      getVatReturn: ({ organizationId, period }) => vatReturn(ports, organizationId, period),
      listVatLines: ({ organizationId, period, box }) => lines(ports, organizationId, period, box),
    },
    {
      getVatReturn: { callers: ['application', 'admin'], action: 'exports.create' },
      listVatLines: { callers: ['application', 'admin'], action: 'exports.create' },
    },
  );

async function vatReturn(
  { organizations, books }: VatPorts,
  organizationId: string,
  period: string,
): Promise<VatReturn> {
  const days = taxPeriod(period);
  const organization = await organizations.find(organizationId);
  if (!organization) throw notFoundError('the organisation');
  const fold = new VatFold();
  for await (const document of books.documents(organizationId, days))
    vatLines(document).forEach((line) => fold.add(line));
  const { boxes, icp, oss, ...sums } = fold.figures();
  const { closedUntil } = issuePolicyOf(organization);
  return {
    ...days,
    ...sums,
    boxes: [...boxes],
    oss: [...oss],
    icp: icp.map((each) => ({
      ...each,
      goodsEuros: inFavour(each.goodsCents),
      servicesEuros: inFavour(each.servicesCents),
    })),
    closed: closedUntil !== null && days.to <= closedUntil,
  };
}

async function* lines(
  { books }: VatPorts,
  organizationId: string,
  period: string,
  box: string | undefined,
): AsyncIterable<LineMessage> {
  for await (const document of books.documents(organizationId, taxPeriod(period)))
    for (const line of vatLines(document)) if (box === undefined || box === line.box) yield toLine(line);
}

const toLine = ({ document, supply, warnings, ...line }: VatLine): LineMessage => ({
  invoiceId: document._id,
  number: document.number,
  issueDate: document.issueDate,
  creditNote: document.kind === 'credit_note',
  customerId: document.customerId,
  customer: document.buyer.companyName || document.buyer.name,
  countryCode: document.buyer.countryCode,
  vatId: document.buyer.btwId,
  ...line,
  supply: supply ? SUPPLIES[supply] : Supply.UNSPECIFIED,
  warnings: [...warnings],
});

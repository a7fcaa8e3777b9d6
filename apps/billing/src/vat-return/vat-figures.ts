import { BOXES, type Box, type VatLine } from './vat-line';

/** One figure of the return, and what stands behind it. */
export interface BoxFigure {
  readonly box: Box;
  readonly baseCents: number;
  readonly vatCents: number;
  /** Whole euros in the taxpayer's favour. */
  readonly baseEuros: number;
  readonly vatEuros: number;
  readonly documents: number;
  readonly documentsWithWarnings: number;
  /** Whether issued documents can say anything about it. */
  readonly fromSales: boolean;
}

/** What one business in another member state bought. */
export interface IcpFigure {
  readonly countryCode: string;
  readonly vatId: string;
  readonly name: string;
  readonly goodsCents: number;
  readonly servicesCents: number;
}

/** What private persons in another member state bought at a rate. */
export interface OssFigure {
  readonly countryCode: string;
  readonly rateBps: number;
  readonly baseCents: number;
  readonly vatCents: number;
  readonly documents: number;
}

export interface VatFigures {
  readonly boxes: readonly BoxFigure[];
  /** 5a as far as sales go. */
  readonly vatCents: number;
  readonly vatEuros: number;
  readonly icp: readonly IcpFigure[];
  readonly oss: readonly OssFigure[];
}

// Other rates, private use, reverse charge to us, and installation or sales taxed abroad: no treatment of ours comes there.
const NOT_FROM_SALES: readonly Box[] = ['1c', '1d', '2a', '3c'];
const CENTS = 100;

/** Whole euros: what is to be paid is rounded down, and what comes back up, as the tax office allows. */
export const inFavour = (cents: number): number => Math.floor(cents / CENTS);

interface BoxSums {
  baseCents: number;
  vatCents: number;
  documents: number;
  documentsWithWarnings: number;
  last: string;
}

/** Adds up the lines of a period; every line of a document comes right after the others of it. */
export class VatFold {
  private readonly boxes = new Map<Box, BoxSums>();
  private readonly icp = new Map<string, IcpFigure>();
  private readonly oss = new Map<string, OssFigure & { readonly last: string }>();

  add(line: VatLine): void {
    this.addToBox(line);
    if (line.supply) this.addToIcp(line);
    if (line.oss) this.addToOss(line);
  }

  figures(): VatFigures {
    const boxes = [...BOXES, 'exempt' as const].map((box) => this.figureOf(box));
    return {
      boxes,
      vatCents: boxes.reduce((sum, { vatCents }) => sum + vatCents, 0),
      vatEuros: boxes.reduce((sum, { vatEuros }) => sum + vatEuros, 0),
      icp: [...this.icp.entries()].sort(byKey).map(([, figure]) => figure),
      oss: [...this.oss.entries()].sort(byKey).map(([, { last: _, ...figure }]) => figure),
    };
  }

  private figureOf(box: Box): BoxFigure {
    const found = this.boxes.get(box) ?? emptySums();
    const { baseCents, vatCents, documents, documentsWithWarnings } = found;
    return {
      box,
      baseCents,
      vatCents,
      baseEuros: inFavour(baseCents),
      vatEuros: inFavour(vatCents),
      documents,
      documentsWithWarnings,
      fromSales: !NOT_FROM_SALES.includes(box),
    };
  }

  private addToBox({ box, baseCents, vatCents, document, warnings }: VatLine): void {
    const sums = this.boxes.get(box) ?? emptySums();
    sums.baseCents += baseCents;
    sums.vatCents += vatCents;
    if (sums.last !== document._id) {
      sums.documents += 1;
      sums.documentsWithWarnings += warnings.length > 0 ? 1 : 0;
      sums.last = document._id;
    }
    this.boxes.set(box, sums);
  }

  private addToIcp({ supply, baseCents, document: { buyer } }: VatLine): void {
    const countryCode = buyer.btwId ? buyer.btwId.slice(0, 2) : buyer.countryCode;
    const key = `${countryCode} ${buyer.btwId}`;
    const before = this.icp.get(key) ?? { goodsCents: 0, servicesCents: 0 };
    this.icp.set(key, {
      countryCode,
      vatId: buyer.btwId,
      name: buyer.companyName || buyer.name,
      goodsCents: before.goodsCents + (supply === 'goods' ? baseCents : 0),
      servicesCents: before.servicesCents + (supply === 'services' ? baseCents : 0),
    });
  }

  private addToOss({ rateBps, baseCents, vatCents, document }: VatLine): void {
    const { countryCode } = document.buyer;
    const key = `${countryCode} ${String(rateBps).padStart(5, '0')}`;
    const before = this.oss.get(key) ?? { baseCents: 0, vatCents: 0, documents: 0, last: '' };
    this.oss.set(key, {
      countryCode,
      rateBps,
      baseCents: before.baseCents + baseCents,
      vatCents: before.vatCents + vatCents,
      documents: before.documents + (before.last === document._id ? 0 : 1),
      last: document._id,
    });
  }
}

const emptySums = (): BoxSums => ({ baseCents: 0, vatCents: 0, documents: 0, documentsWithWarnings: 0, last: '' });

const byKey = ([a]: [string, unknown], [b]: [string, unknown]): number => (a < b ? -1 : a > b ? 1 : 0);

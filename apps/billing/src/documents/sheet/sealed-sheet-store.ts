import {
  declareCollection,
  insertOnce,
  joinedFind,
  nativeCollection,
  openCollection,
  required,
  type Binary,
  type Connection,
} from '@invoicing/mongo';

/** The PDF of a document as it was issued, kept from its first rendering on. */
interface SealedSheetDocument {
  /** The invoice's. */
  readonly _id: string;
  readonly organizationId: string;
  readonly pdf: Buffer | Binary;
  readonly createdAt: Date;
}

const sealedSheetCollection = declareCollection<SealedSheetDocument>('sealed_sheets', {
  shardKey: { organizationId: 1 },
  fields: { organizationId: required(String), pdf: required(Buffer), createdAt: required(Date) },
  indexes: [],
});

export interface SealedSheets {
  readonly find: (organizationId: string, invoiceId: string) => Promise<Uint8Array | null>;
  /** Keeps the first one that is offered, and answers what is kept. */
  readonly keep: (organizationId: string, invoiceId: string, pdf: Uint8Array) => Promise<Uint8Array>;
}

/** A store takes documents of 16 MB; a sheet that is larger is rendered each time, with the same bytes. */
const MOST_BYTES = 15 * 2 ** 20;

/** Sealed sheets in a collection of their own, by the id of their invoice. */
export async function mongoSealedSheets(connection: Connection, now: () => Date): Promise<SealedSheets> {
  const sheets = nativeCollection(await openCollection(connection, sealedSheetCollection));
  const kept = joinedFind(sheets);
  const find: SealedSheets['find'] = async (organizationId, invoiceId) => {
    const pdf = (await kept(organizationId, invoiceId))?.pdf;
    return pdf === undefined ? null : pdf instanceof Uint8Array ? pdf : pdf.buffer;
  };
  return {
    find,
    keep: async (organizationId, invoiceId, pdf) => {
      if (pdf.length > MOST_BYTES) return pdf;
      const isFirst = await insertOnce(sheets, {
        _id: invoiceId,
        organizationId,
        pdf: Buffer.from(pdf.buffer, pdf.byteOffset, pdf.length),
        createdAt: now(),
      });
      return isFirst ? pdf : ((await find(organizationId, invoiceId)) ?? pdf);
    },
  };
}

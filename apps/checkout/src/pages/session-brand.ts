import { FreshCache } from '@invoicing/concurrency';
import { brand, type Brand, type Language } from '@invoicing/design';
import { type Billing, type Ports } from '../sessions/session-ports';
import { texts } from './texts';

/** Whose page it is: of one invoice as it was issued, or of a profile (null: the organisation's default) as it is now. */
export interface BrandOf {
  readonly organizationId: string;
  readonly profileId: string | null;
  readonly invoiceId: string | null;
  /** Shown while billing does not answer. */
  readonly sellerName: string;
}

export interface ShownBrand {
  readonly brand: Brand;
  /** No money of it is real. */
  readonly isTest: boolean;
}

// A change is seen within a minute; while billing does not answer, yesterday's is better than none.
const AGE = { freshMs: 10_000, usableMs: 60_000, onFailureMs: 86_400_000 };
/** A logo may have 256 KiB. */
const MOST = 100;
/** A page is not kept waiting by its looks. */
const BRAND_TIMEOUT_MS = 1_500;

/** How sellers show themselves, remembered for a while. */
export function sessionBrands({
  billing,
  newCall,
  report,
}: Pick<Ports, 'newCall' | 'report'> & { billing: Pick<Billing, 'brand'> }) {
  const brands = new FreshCache<ShownBrand, BrandOf>(
    (_key, of) => billing.brand(of, newCall(BRAND_TIMEOUT_MS)),
    AGE,
    MOST,
  );
  return async (of: BrandOf): Promise<ShownBrand> => {
    const key = of.invoiceId ?? `${of.organizationId} ${of.profileId ?? ''}`;
    try {
      return await brands.get(key, of);
    } catch (error) {
      report('brand_unknown', { organizationId: of.organizationId, error });
      return { brand: brand({ name: of.sellerName }), isTest: false };
    }
  };
}

/** Of a page that is about nothing of ours: it says at least what it is for. */
export const nobodys = (language: Language) => ({
  language,
  brand: brand({ name: texts[language].pageTitle }),
  isTest: false,
  sellerName: '',
});

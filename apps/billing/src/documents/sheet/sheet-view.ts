import { brand as brandOf, mix, palettes } from '@invoicing/design';
import { WORDING } from '../wording/wording';
import { type CoverView, coverOf } from './sheet-cover';
import { type FactsView, factsOf } from './sheet-facts';
import { type LinesView, linesOf } from './sheet-lines';
import { type PanelView, panelOf } from './sheet-panel';
import { buyerOf, type FooterView, footerOf, type PartyView, sellerOf } from './sheet-parties';
import type { SheetSource } from './sheet-source';
import { type BadgeView, badgesOf, bannerOf } from './sheet-badges';
import { settableView } from './sheet-text';
import { type SumsView, sumsOf } from './sheet-sums';

/** Everything that the template shows, as ready text in one language; it decides nothing. */
export interface SheetView {
  /** BCP 47. */
  readonly language: string;
  readonly title: string;
  readonly author: string;
  readonly colors: { readonly accent: string; readonly ink: string; readonly tint: string };
  readonly brand: string;
  /** Words for the logo; empty when the brand's name is set instead. */
  readonly logoAlt: string;
  readonly seller: PartyView;
  readonly buyer: PartyView & { readonly label: string };
  /** The document's kind as its heading. */
  readonly kind: string;
  readonly badges: readonly BadgeView[];
  /** On top of every sheet of a test or a draft; empty otherwise. */
  readonly banner: string;
  /** Sentences under the heading: what is credited and why. */
  readonly origin: readonly string[];
  readonly facts: FactsView;
  readonly note: string;
  readonly lines: LinesView;
  readonly sums: SumsView;
  readonly panel: PanelView | null;
  readonly footer: FooterView;
  readonly cover: CoverView | null;
}

/** One sheet as its template takes it: a pure function of the document and its account. */
export async function sheetView(source: SheetSource): Promise<SheetView> {
  const { invoice } = source;
  const { language, style, seller, number } = invoice;
  const words = WORDING[language];
  const kind = invoice.kind === 'invoice' ? words.invoice : words.creditNote;
  const brand = style.profileName || seller.name;
  const { accent, accentInk } = brandOf({ name: brand, accentColor: style.accentColor }).light;
  return settableView({
    language,
    title: [kind, number].filter(Boolean).join(' '),
    author: seller.name,
    colors: { accent, ink: accentInk, tint: mix(palettes.light.surface, accent, 0.07) },
    brand,
    logoAlt: style.logo ? words.logoAlt(brand) : '',
    seller: sellerOf(invoice),
    buyer: buyerOf(invoice),
    kind,
    badges: badgesOf(source),
    banner: bannerOf(source),
    ...factsOf(source),
    note: invoice.note ?? '',
    lines: linesOf(invoice),
    sums: sumsOf(source),
    panel: await panelOf(source),
    footer: footerOf(invoice),
    cover: await coverOf(source),
  });
}

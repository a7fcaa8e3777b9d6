import type { FrozenInvoice, Party } from '../../invoices/invoice';
import { addressLines } from '../wording/party-address';
import { WORDING } from '../wording/wording';
import { widthAtMost } from './text-width';

export interface PartyView {
  readonly name: string;
  readonly lines: readonly string[];
  /** Registration numbers and e-mail address, set quieter. */
  readonly ids: readonly string[];
}

export interface FooterView {
  readonly seller: string;
  readonly text: string;
  /** As many as it can take: the sheet's bottom margin. */
  readonly lines: number;
}

const MAX_FOOTER = 600;
/** Of a line of the footer, in its own em. */
const FOOTER_WIDTH = 58;
const WIDE = 1.1;

const linesAtMost = (text: string): number => Math.ceil((widthAtMost(text) ?? text.length * WIDE) / FOOTER_WIDTH);

const numbersOf = ({ kvkNumber, btwId }: Party, { language }: FrozenInvoice): string[] => {
  const words = WORDING[language];
  return [kvkNumber && `${words.kvk} ${kvkNumber}`, btwId && `${words.vatId} ${btwId}`].filter(Boolean);
};

export function sellerOf(invoice: FrozenInvoice): PartyView {
  const { seller, language } = invoice;
  return {
    name: seller.name,
    lines: addressLines(seller, invoice, language),
    ids: [...numbersOf(seller, invoice), seller.email].filter(Boolean),
  };
}

export function buyerOf(invoice: FrozenInvoice): PartyView & { label: string } {
  const { buyer, language, kind } = invoice;
  const words = WORDING[language];
  const contact = buyer.companyName && buyer.name !== buyer.companyName ? `${words.attention} ${buyer.name}` : '';
  return {
    label: kind === 'invoice' ? words.billedTo : words.creditedTo,
    name: buyer.companyName || buyer.name,
    lines: [contact, ...addressLines(buyer, invoice, language)].filter(Boolean),
    ids: numbersOf(buyer, invoice),
  };
}

/** Who sent it stands on every sheet: the sheets of a long document may come apart. */
export function footerOf(invoice: FrozenInvoice): FooterView {
  const { seller, style } = invoice;
  const whole = style.footer.trim().replace(/\s*\n\s*/g, '\n');
  const text = whole.length > MAX_FOOTER ? `${[...whole].slice(0, MAX_FOOTER - 1).join('')}…` : whole;
  const identity = [seller.name, ...numbersOf(seller, invoice)].join(' · ');
  const lines = [identity, ...(text ? text.split('\n') : [])].map(linesAtMost).reduce((sum, each) => sum + each, 0);
  return { seller: identity, text, lines };
}

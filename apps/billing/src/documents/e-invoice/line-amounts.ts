import type { Line } from '../../invoices/invoice';
import { parseQuantity } from '../../invoices/quantity';
import { lineCents, roundedQuotient, vatRateBps } from '../../invoices/totals';

/** What a line of an e-invoice says of its price: quantity × price − allowance is its net amount, within two cents (PEPPOL-EN16931-R120). */
export interface LineAmounts {
  /** BT-146 in euros, never negative (BR-27): at least two decimals, as many as it takes. */
  readonly price: string;
  /** BG-27: the discount, in cents of the line's sign; absent without discount. */
  readonly allowance?: { readonly baseCents: number; readonly amountCents: number; readonly bps: number };
}

const WHOLE_BPS = 10_000n;
// Of a quantity of 1e9 a difference in the fourteenth decimal is far below a cent.
const MOST_DECIMALS = 14;
const SLACK_CENTS = 2n;

export function lineAmounts(line: Line): LineAmounts {
  const quantity = parseQuantity(line.quantity);
  if (typeof quantity === 'string') throw new Error(`stored quantity ${line.quantity}: ${quantity}`);
  const { unitPriceCents, discountBps = 0, netCents } = line;
  if (line.grossCents === undefined) {
    const baseCents = Number(lineCents(quantity, unitPriceCents));
    return { price: decimalText(abs(BigInt(unitPriceCents)), 2), ...allowanceOf(baseCents, netCents, discountBps) };
  }
  const rate = WHOLE_BPS + BigInt(vatRateBps[line.vatTreatment]);
  for (let decimals = 2; decimals <= MOST_DECIMALS; decimals++) {
    const unit = 10n ** BigInt(decimals - 2);
    const price = roundedQuotient(BigInt(unitPriceCents) * WHOLE_BPS * unit, rate);
    const divisor = unit * 10n ** BigInt(quantity.scale);
    const exact = quantity.coefficient * price;
    const baseCents = discountBps ? roundedQuotient(exact, divisor) : BigInt(netCents);
    const discounted = baseCents * (WHOLE_BPS - BigInt(discountBps));
    const fits =
      abs(exact - baseCents * divisor) <= SLACK_CENTS * divisor &&
      (discountBps === 0 || abs(discounted - BigInt(netCents) * WHOLE_BPS) <= SLACK_CENTS * WHOLE_BPS);
    if (fits)
      return { price: decimalText(abs(price), decimals), ...allowanceOf(Number(baseCents), netCents, discountBps) };
  }
  // A part of a line that is credited, whose cents are what rounding left of the whole: its price is what it comes to.
  const scale = 10n ** BigInt(MOST_DECIMALS - 2 + quantity.scale);
  const price = quantity.coefficient === 0n ? 0n : roundedQuotient(BigInt(netCents) * scale, abs(quantity.coefficient));
  return { price: decimalText(abs(price), MOST_DECIMALS) };
}

const allowanceOf = (baseCents: number, netCents: number, bps: number): Pick<LineAmounts, 'allowance'> =>
  bps > 0 ? { allowance: { baseCents, amountCents: baseCents - netCents, bps } } : {};

function decimalText(units: bigint, decimals: number): string {
  const digits = units.toString().padStart(decimals + 1, '0');
  const fraction = digits.slice(-decimals).replace(/0+$/, '').padEnd(2, '0');
  return `${digits.slice(0, -decimals)}.${fraction}`;
}

const abs = (value: bigint): bigint => (value < 0n ? -value : value);

/** An exact decimal: value = coefficient / 10^scale. */
export interface Decimal {
  readonly coefficient: bigint;
  readonly scale: number;
}

const DECIMAL = /^([+-]?)(\d{1,40})(?:\.(\d{1,40}))?(?:[eE]([+-]?\d{1,3}))?$/;
const MAX_SCALE = 6;
const MAX_MAGNITUDE = 1_000_000_000n;

/**
 * Reads the decimal text of a quantity, e-notation included. Answers a sentence when it does not fit:
 * at most 6 decimals and at most 1e9 either way (domain.md).
 */
export function parseQuantity(text: string): Decimal | string {
  const match = DECIMAL.exec(text);
  if (!match) return 'must be a decimal number';
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  let coefficient = BigInt(whole + fraction);
  let scale = fraction.length - Number(exponent);
  // Trailing zeros say nothing: 1.5000000 has one decimal.
  while (scale > 0 && coefficient % 10n === 0n && coefficient !== 0n) {
    coefficient /= 10n;
    scale -= 1;
  }
  if (coefficient === 0n) return { coefficient: 0n, scale: 0 };
  if (scale > MAX_SCALE) return `must have at most ${MAX_SCALE} decimals`;
  if (scale < 0) {
    coefficient *= 10n ** BigInt(-scale);
    scale = 0;
  }
  if (coefficient > MAX_MAGNITUDE * 10n ** BigInt(scale)) return 'must be at most 1000000000 either way';
  return { coefficient: sign === '-' ? -coefficient : coefficient, scale };
}

/** Decimal text without exponent or idle zeros: "1.5", "-2", "1000". */
export function formatQuantity({ coefficient, scale }: Decimal): string {
  const negative = coefficient < 0n;
  const digits = (negative ? -coefficient : coefficient).toString().padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, '');
  return `${negative ? '-' : ''}${whole}${fraction && `.${fraction}`}`;
}

/** Exact a − b. */
export function subtractQuantities(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  const lift = (each: Decimal): bigint => each.coefficient * 10n ** BigInt(scale - each.scale);
  return { coefficient: lift(a) - lift(b), scale };
}

/** Whether digits end in their Luhn check digit: Swedish organisation numbers, the Italian partita IVA, French SIREN. */
export function isLuhn(digits: string): boolean {
  if (!/^\d+$/.test(digits)) return false;
  const sum = [...digits].reverse().reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

/** A Belgian enterprise number: ten digits, the last two being 97 less the remainder of the first eight. */
export const isEnterpriseNumber = (digits: string): boolean =>
  /^[01]\d{9}$/.test(digits) && 97 - (Number(digits.slice(0, 8)) % 97) === Number(digits.slice(8));

const NORWEGIAN_WEIGHTS = [3, 2, 7, 6, 5, 4, 3, 2];

/** A Norwegian organisation number: nine digits, the last by modulus 11. */
export function isNorwegianOrganization(digits: string): boolean {
  if (!/^\d{9}$/.test(digits)) return false;
  const sum = NORWEGIAN_WEIGHTS.reduce((total, weight, at) => total + weight * Number(digits[at]), 0);
  return (11 - (sum % 11)) % 11 === Number(digits[8]);
}

/** Amounts in USD, to six decimals. Sums are of whole millionths of a dollar, so that none of them drifts. */

export const micros = 1e6

/** Millionths of a dollar: whole numbers, which add up exactly. */
export function microsOf(usd: number): number {
  return Math.round(usd * micros)
}

/** Adds up amounts in USD, exactly. */
export function sumOf(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum + microsOf(amount), 0) / micros
}

/** What calls cost. */

/** Seconds between answer and end; every begun second counts, and the first begins with the answer. */
export function billedSeconds(answeredAt: Date | null, endedAt: Date): number {
  if (!answeredAt) return 0
  return Math.max(1, Math.ceil((endedAt.getTime() - answeredAt.getTime()) / 1000))
}

/** USD, to six decimals, charged by the second. */
export function costOf(seconds: number, feePerMinute: number): number {
  return Math.round((seconds * feePerMinute * 1e6) / 60) / 1e6
}

/** Seconds that a credit pays for at a price; Infinity when calls are free. */
export function affordableSeconds(credit: number, feePerMinute: number): number {
  return feePerMinute > 0 ? Math.floor((credit * 60) / feePerMinute) : Infinity
}

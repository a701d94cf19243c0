import type { SharedNumber } from './number-teams.js'

/** A number as the API shows it. */
export function presentNumber(number: SharedNumber) {
  return {
    ...number,
    verified_at: number.verified_at?.toISOString() ?? null,
    created_at: number.created_at.toISOString(),
    updated_at: number.updated_at.toISOString(),
  }
}

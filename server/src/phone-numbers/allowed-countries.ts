import type { Owner } from '../database/workspace-table.js'
import type { ParsedNumber } from './e164.js'

type Countries = Pick<ParsedNumber, 'countries'>

/** To which countries workspaces may call and send, against toll fraud. */
export class AllowedCountries {
  /** @param listOf the countries of a workspace, which may be some seconds old; null for all */
  constructor(private readonly listOf: (workspaceId: string) => Promise<readonly string[] | null>) {}

  /** Whether a telephone number may be reached: every country that it could be of must be allowed. */
  async include(workspace: Owner, { countries }: Countries): Promise<boolean> {
    const allowed = await this.listOf(workspace.id)
    if (allowed === null) return true
    return countries.length > 0 && countries.every((country) => allowed.includes(country))
  }
}

/** Where a number is, as people are told. */
export function placeOf({ countries: [country, ...others] }: Countries): string {
  return country && others.length === 0 ? country : 'this number'
}

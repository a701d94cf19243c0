import type { Owner } from '../../infrastructure/database/workspace-table.js'
import { type ParsedNumber, isPremiumRate } from '../../lib/numbering/e164.js'

/** A number, or something of no country that may lead to one. */
export type Reached = Pick<ParsedNumber, 'countries'> & Partial<Pick<ParsedNumber, 'digits'>>

/** What the operator lets a workspace call and text. */
interface Allowance {
  /** ISO 3166-1; null for all. */
  allowed_countries: readonly string[] | null
  allow_premium_rate: boolean
}

/** Why a number may not be called or texted. */
export type NotReached = 'country_not_allowed' | 'premium_not_allowed'

/** Which numbers workspaces may call and text, against toll fraud. */
export class AllowedCountries {
  /** @param allowanceOf of a workspace, which may be some seconds old; null where there is none */
  constructor(private readonly allowanceOf: (workspaceId: string) => Promise<Allowance | null>) {}

  /** Why a telephone number may not be reached: every country that it could be of must be allowed. Null when it may. */
  async refusal(workspace: Owner, { countries, digits }: Reached): Promise<NotReached | null> {
    const allowance = await this.allowanceOf(workspace.id)
    if (allowance?.allow_premium_rate === false && digits !== undefined && isPremiumRate({ digits }))
      return 'premium_not_allowed'
    const allowed = allowance?.allowed_countries ?? null
    if (allowed === null) return null
    const isAllowed = countries.length > 0 && countries.every((country) => allowed.includes(country))
    return isAllowed ? null : 'country_not_allowed'
  }
}

/** The error for a destination that the workspace may not reach. @param what `call` or `send messages to` */
export function refusalText(
  why: NotReached,
  what: string,
  { countries: [country, ...others] }: Reached,
): string {
  if (why === 'premium_not_allowed')
    return `The workspace may not ${what} numbers that cost their callers more: the operator allows them (allow_premium_rate)`
  return `The workspace may not ${what} ${country && others.length === 0 ? country : 'this number'}`
}

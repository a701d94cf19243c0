/** Telephone numbers as people of a workspace write them. */
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import {
  type ParsedNumber,
  dialledNumber,
  internationalNumber,
  withoutSeparators,
} from '../../lib/numbering/e164.js'
import { isEmergencyNumber } from '../../lib/numbering/emergency.js'
import type { PhoneNumber } from './phone-number.entity.js'

interface Services {
  numbers: {
    findByDigits(workspace: Owner, digits: string): Promise<PhoneNumber | null>
    find(workspace: Owner, id: string): Promise<PhoneNumber | null>
  }
  /** Null when there is no such workspace. */
  countryOf(workspaceId: string): Promise<string | null>
}

export class WorkspaceNumbers {
  constructor(private readonly services: Services) {}

  /**
   * Reads E.164; without the plus sign the digits of a number of the workspace, as the API shows it, else a number as people
   * of the workspace's country dial it. Never a number of another country.
   */
  async read(workspace: Owner, text: string): Promise<ParsedNumber | null> {
    if (text.startsWith('+')) return internationalNumber(text)
    if (!/^\d{7,20}$/.test(text)) return null
    const own = await this.services.numbers.findByDigits(workspace, text)
    if (own) return internationalNumber(`+${own.number}`)
    return dialledNumber(text, (await this.country(workspace)) ?? '')
  }

  /** ISO 3166-1; null when there is no such workspace. */
  async country(workspace: Owner): Promise<string | null> {
    return this.services.countryOf(workspace.id)
  }

  /** Whether people of the workspace's country reach the emergency service by what somebody wrote. */
  async isEmergency(workspace: Owner, text: string): Promise<boolean> {
    return isEmergencyNumber(text, (await this.country(workspace)) ?? '')
  }

  /** Digits with the country calling code, from `+1 (202) 555-0100` and the like; null when it is no number. */
  async digitsOf(workspace: Owner, written: string): Promise<string | null> {
    return (await this.read(workspace, withoutSeparators(written)))?.digits ?? null
  }

  async byId(workspace: Owner, id: string): Promise<PhoneNumber | null> {
    return this.services.numbers.find(workspace, id)
  }

  /** A number of the workspace, written in any of these ways. */
  async own(workspace: Owner, text: string): Promise<PhoneNumber | null> {
    const number = await this.read(workspace, text)
    return number && this.services.numbers.findByDigits(workspace, number.digits)
  }
}

/** The error for a field that is no number. */
export function notANumber(field: string): string {
  return `${field} is not a possible number: write it with a plus sign and its country code, or as the workspace’s country dials it`
}

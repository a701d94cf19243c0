/** The numbers of ours that texts are for. */
import type { EntityManager } from 'typeorm'
import type { Database } from '../../../infrastructure/database/database.js'
import { entityOf } from '../../../infrastructure/database/rows.js'
import { PhoneNumber } from '../../phone-numbers/phone-number.entity.js'
import { UnreadableNumberError } from '../../../adapters/sms/link.js'
import { isE164 } from '../../../adapters/sms/numbers.js'
import { isOriginator } from '../carriers/originators.js'
import type { CarrierCountries } from './carrier-countries.js'
import type { InboundSegmentRow } from './inbound-segment.entity.js'
import { type WrittenParty, isInternational, recipientsOf } from './parties.js'

/**
 * The active numbers that a text is for; several workspaces may have the same digits. The rows stay locked until the
 * transaction ends, so that nothing is written for a workspace that is being deleted.
 * @param isPart locks exclusively: transactions with segments run one after the other, so that the last one sees all others
 */
export async function lockNumbers(
  tx: EntityManager,
  { carrier_id, to_number }: Pick<InboundSegmentRow, 'carrier_id' | 'to_number'>,
  isPart: IsPart,
): Promise<PhoneNumber[]> {
  return lockAny(tx, carrier_id, [to_number], isPart)
}

interface IsPart {
  readonly isPart: boolean
}

/**
 * The same for a number as a carrier writes it. What can be read as several of ours is for none of them.
 * @returns the digits, and the numbers of ours that have them, which may be none
 * @throws {UnreadableNumberError}
 */
export async function lockRecipients(
  tx: EntityManager,
  carrierId: string,
  party: WrittenParty,
  countries: CarrierCountries,
  isPart: IsPart,
): Promise<{ digits: string; numbers: PhoneNumber[] }> {
  const look = async (all: readonly string[]) => {
    const ways = recipientsOf(party, all)
    for (const digits of ways) {
      const numbers = await lockAny(tx, carrierId, digits, isPart)
      if (new Set(numbers.map(({ number }) => number)).size > 1) throw ambiguous(party)
      const [found] = numbers
      // A short code or a name has only one reading.
      if (found) return { digits: digits.find((one) => !isE164(one)) ?? found.number, numbers }
    }
    return ways.flat()
  }
  const known = isInternational(party) ? [] : await countries.of(tx, carrierId)
  const found = await look(known)
  if (!Array.isArray(found)) return found
  const fresh = await countries.of(tx, carrierId, { isFresh: true })
  const again = fresh.every((country) => known.includes(country)) ? found : await look(fresh)
  if (!Array.isArray(again)) return again
  if (party.text === '') throw new UnreadableNumberError('The text names no recipient')
  return { digits: again[0] ?? party.text.slice(0, longestShown), numbers: [] }
}

/** Characters of an unknown number in the log. */
const longestShown = 40

function ambiguous(party: WrittenParty): Error {
  return new UnreadableNumberError(
    `${quoted(party)} may be one of several numbers: set the carrier’s country or inbound_number_format`,
  )
}

const quoted = ({ text, type }: WrittenParty) => `${JSON.stringify(text.slice(0, longestShown))} (${type})`

async function lockAny(
  tx: EntityManager,
  carrierId: string,
  digits: readonly string[],
  { isPart }: IsPart,
): Promise<PhoneNumber[]> {
  if (digits.length === 0) return []
  const [numbers, originators] = [digits.filter(isE164), digits.filter(isOriginator)]
  const named = originators.length === 0 ? [] : await numbersSendingAs(tx, originators)
  if (named.length + numbers.length === 0) return []
  // From numbers to their carriers: the other order would lock all numbers of the carrier.
  const rows = await tx.query<Record<string, unknown>[]>(
    `SELECT number.* FROM phone_numbers number
     STRAIGHT_JOIN number_carriers assigned ON assigned.phone_number_id = number.id AND assigned.carrier_id = ?
     WHERE ${named.length > 0 ? 'number.id' : 'number.number'} IN (?) AND number.status = 'active' ORDER BY number.id
     ${isPart ? 'FOR UPDATE' : 'LOCK IN SHARE MODE'}`,
    [carrierId, named.length > 0 ? named : numbers],
  )
  return rows.map((row) => entityOf(tx, PhoneNumber, row))
}

async function numbersSendingAs(tx: EntityManager, originators: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ phone_number_id: string }[]>(
    'SELECT phone_number_id FROM number_originators WHERE originator IN (?)',
    [originators],
  )
  return rows.map(({ phone_number_id }) => phone_number_id)
}

/** Whether a number, in digits, is one of ours that has a carrier. */
export async function sendsOver({ source }: Database, carrierId: string, number: string): Promise<boolean> {
  const rows = await source.query<unknown[]>(
    `SELECT 1 FROM phone_numbers number
     JOIN number_carriers assigned ON assigned.phone_number_id = number.id AND assigned.carrier_id = ?
     WHERE number.number = ? LIMIT 1`,
    [carrierId, number],
  )
  return rows.length > 0
}

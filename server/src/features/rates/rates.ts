/** Which rate holds: of all rates for a number that with the longest prefix. */
import type { Database } from '../../infrastructure/database/database.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import type { KeptValues } from '../../lib/kept-values.js'
import type { RateKind } from './deck-rate.entity.js'
import { type Rate, perMinute } from './rating.js'

/** The rate that a deck has for a number. */
export interface FoundRate {
  rate_deck_id: string
  prefix: string
  destination: string
  /** USD a minute, of messages a segment. */
  price: number
  connection_fee: number
  minimum_seconds: number
  increment_seconds: number
  is_blocked: boolean
  valid_from: Date
}

type Row = Omit<FoundRate, 'price' | 'connection_fee' | 'is_blocked'> & {
  price: string
  connection_fee: string
  is_blocked: number
}

/** Everything that a number begins with, from nothing to the whole number. */
export function prefixesOf(digits: string): string[] {
  return Array.from({ length: digits.length + 1 }, (_, length) => digits.slice(0, length))
}

/** What holds now. */
interface Holding {
  readonly rate: FoundRate | null
  /** When another rate takes its place, in milliseconds. */
  readonly until: number
}

export class Rates {
  constructor(
    private readonly database: Database,
    /** A workspace's own deck. */
    private readonly deckOf: (workspaceId: string) => Promise<string | null>,
    /** By workspace; forgotten when a deck changes. */
    private readonly kept: Pick<KeptValues, 'get'>,
  ) {}

  /**
   * What a call with a number costs.
   * @param digits E.164 without the plus sign: the called number, for incoming calls our own
   * @param fee USD a minute if no deck has a rate
   * @returns null when the number may not be called
   */
  async ofCall(
    workspace: Owner,
    kind: Exclude<RateKind, 'message'>,
    digits: string,
    fee: number,
  ): Promise<Rate | null> {
    const found = await this.find(workspace, kind, digits)
    if (!found) return perMinute(fee)
    if (found.is_blocked) return null
    const { rate_deck_id, prefix, price, connection_fee, minimum_seconds, increment_seconds } = found
    return {
      ...{ fee_per_minute: price, connection_fee, minimum_seconds, increment_seconds },
      ...{ rate_deck_id, rate_prefix: prefix },
    }
  }

  /** The rate that holds for a number now: of the workspace's own deck, else of the default. */
  async find(workspace: Owner, kind: RateKind, digits: string): Promise<FoundRate | null> {
    const [own, byDefault] = await Promise.all([this.deckOf(workspace.id), this.defaultDeck(workspace)])
    const decks = [...new Set([own, byDefault])].filter((id) => id !== null)
    if (decks.length === 0) return null
    const { rate } = await this.kept.get(
      workspace.id,
      `rate ${decks.join(' ')} ${kind} ${digits}`,
      async () => this.holding(decks, kind, digits),
      ({ until }) => until,
    )
    return rate
  }

  private async holding(decks: readonly string[], kind: RateKind, digits: string): Promise<Holding> {
    const now = new Date()
    const columns = `rate_deck_id, prefix, destination, price, connection_fee, minimum_seconds, increment_seconds,
         is_blocked, valid_from`
    const ofNumber = 'rate_deck_id IN (?) AND kind = ? AND prefix IN (?)'
    const values = [decks, kind, prefixesOf(digits), now]
    const rows = await this.database.source.query<Row[]>(
      `(SELECT ${columns} FROM rates WHERE ${ofNumber} AND valid_from <= ?
        ORDER BY rate_deck_id = ? DESC, LENGTH(prefix) DESC, valid_from DESC LIMIT 1)
       UNION ALL
       (SELECT ${columns} FROM rates WHERE ${ofNumber} AND valid_from > ? ORDER BY valid_from LIMIT 1)`,
      [...values, decks[0], ...values],
    )
    const row = rows.find(({ valid_from }) => valid_from <= now)
    const next = rows.find(({ valid_from }) => valid_from > now)
    return { rate: row ? Object.freeze(rateOf(row)) : null, until: next?.valid_from.getTime() ?? Infinity }
  }

  private async defaultDeck(workspace: Owner): Promise<string | null> {
    const { id } = await this.kept.get(workspace.id, 'default deck', async () => {
      const [row] = await this.database.source.query<{ id: string }[]>(
        'SELECT id FROM rate_decks WHERE is_default = 1 LIMIT 1',
      )
      return { id: row?.id ?? null }
    })
    return id
  }
}

function rateOf(row: Row): FoundRate {
  return {
    ...row,
    price: Number(row.price),
    connection_fee: Number(row.connection_fee),
    is_blocked: Boolean(row.is_blocked),
  }
}

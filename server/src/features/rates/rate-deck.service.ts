/** The operator's rate decks. */
import { Readable } from 'node:stream'
import type { EntityManager } from 'typeorm'
import { recordChange } from '../../infrastructure/database/audit.js'
import { type Database, isDuplicate, isReferenced } from '../../infrastructure/database/database.js'
import { newId } from '../../infrastructure/database/ids.js'
import { rowsChanged } from '../../infrastructure/database/row-changes.js'
import { entityOf, insertRows } from '../../infrastructure/database/rows.js'
import { conflict } from '../../infrastructure/http/errors.js'
import type { Page } from '../../infrastructure/http/lists.js'
import { PlatformRows } from '../../infrastructure/resources/platform-rows.js'
import { DeckRate } from './deck-rate.entity.js'
import { RateDeck } from './rate-deck.entity.js'
import { heading, rateLine, ratesOfFile } from './rate-file.js'
import { prefixesOf } from './rates.js'
import type { CreateRateDeck, RateQuery, UpdateRateDeck } from './rates.schema.js'

/** Rates that one statement writes. */
const batch = 1_000

/** Of operators who make decks the default in the same moment, each wins once at the latest. */
const mostTurns = 10

export class RateDeckService extends PlatformRows<RateDeck> {
  constructor(database: Database) {
    super(database, { table: RateDeck, noun: 'Rate deck', audited: 'rate_deck', search: ['id', 'title'] })
  }

  async create(input: CreateRateDeck): Promise<RateDeck> {
    const now = new Date()
    const deck: RateDeck = { id: newId('rd'), ...input, rates: 0, created_at: now, updated_at: now }
    await this.choosing(async (tx) => {
      if (deck.is_default) await noDefault(tx)
      await this.insert(tx, deck)
    })
    return deck
  }

  /** @throws 404 */
  async update(id: string, input: UpdateRateDeck): Promise<RateDeck> {
    return this.choosing(async (tx) => {
      const before = await this.lock(tx, id)
      if (input.is_default) await noDefault(tx)
      return this.change(tx, before, input)
    })
  }

  /** A transaction that may make a deck the default: where another one did so in the same moment, it is done again. */
  private async choosing<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    for (let turn = 1; ; turn++) {
      try {
        return await this.database.transaction(work)
      } catch (error) {
        if (!isDuplicate(error) || turn === mostTurns) throw error
      }
    }
  }

  /** @throws 404, 409 while workspaces have it */
  async delete(id: string): Promise<RateDeck> {
    return this.database.transaction(async (tx) => {
      const deck = await this.lock(tx, id)
      if (deck.is_default)
        throw conflict(
          `The rate deck ${deck.title} is that of all workspaces without one: make another one the default`,
        )
      try {
        await this.remove(tx, deck)
      } catch (error) {
        throw isReferenced(error) ? conflict(`The rate deck ${deck.title} is that of a workspace`) : error
      }
      return deck
    })
  }

  /**
   * Puts the rates of a CSV file in the place of all that a deck has, in one transaction: calls that begin meanwhile
   * see all the old ones or all the new ones.
   * @throws 400 naming lines, 404
   */
  async replace(id: string, path: string): Promise<RateDeck> {
    await this.get(id)
    const rates = await ratesOfFile(path)
    return this.database.transaction(async (tx) => {
      const before = await this.lock(tx, id)
      await tx.query('DELETE FROM rates WHERE rate_deck_id = ?', [id])
      for (let from = 0; from < rates.length; from += batch) {
        const rows = rates.slice(from, from + batch).map((rate) => ({ ...rate, rate_deck_id: id }))
        await insertRows(tx, DeckRate, rows)
      }
      const after = { ...before, rates: rates.length, updated_at: new Date() }
      await tx.update(RateDeck, id, after)
      rowsChanged(tx, 'rate_decks', null)
      await recordChange(tx, {
        ...{ workspace_id: null, action: 'rate_deck.import' },
        target: { type: 'rate_deck', id, name: after.title },
        changes: { rates: { from: before.rates, to: after.rates } },
      })
      return after
    })
  }

  /**
   * All rates as CSV. They are read in one snapshot, as an import may replace them, and written as fast as the client
   * reads: some 20 MB of memory meanwhile.
   * @throws 404
   */
  async export(id: string): Promise<Readable> {
    const lines = await this.database.snapshot(async (tx) => {
      this.known(id, await tx.findOneBy(RateDeck, { id }))
      return linesOf(tx, id)
    })
    return Readable.from(lines, { objectMode: false })
  }

  /** The rates that begin with some digits, or that a number begins with, in their order. @throws 404 */
  async page(id: string, { page, limit, prefix, number, kind }: RateQuery): Promise<Page<DeckRate>> {
    await this.get(id)
    const query = this.database
      .platformTable(DeckRate)
      .createQueryBuilder('rate')
      .where('rate.rate_deck_id = :id', { id })
    if (kind) query.andWhere('rate.kind = :kind', { kind })
    if (prefix) query.andWhere('rate.prefix LIKE :prefix', { prefix: `${prefix}%` })
    if (number) query.andWhere('rate.prefix IN (:...prefixes)', { prefixes: prefixesOf(number) })
    query.orderBy({ 'rate.kind': 'ASC', 'rate.prefix': 'ASC', 'rate.valid_from': 'ASC' })
    const [rows, total] = await query
      .offset((page - 1) * limit)
      .limit(limit)
      .getManyAndCount()
    return { rows, total }
  }
}

/** The heading, and the rates by the batch. */
async function linesOf(tx: EntityManager, id: string): Promise<string[]> {
  const lines = [heading]
  let last: DeckRate | undefined
  for (;;) {
    const after = last ? [last.kind, last.prefix, last.valid_from] : ['', '', new Date(0)]
    const found = await tx.query<Record<string, unknown>[]>(
      `SELECT * FROM rates WHERE rate_deck_id = ? AND (kind > ? OR (kind = ? AND (prefix > ? OR
         (prefix = ? AND valid_from > ?)))) ORDER BY kind, prefix, valid_from LIMIT ${batch}`,
      [id, after[0], after[0], after[1], after[1], after[2]],
    )
    const rates = found.map((row) => entityOf(tx, DeckRate, row))
    lines.push(rates.map(rateLine).join(''))
    last = rates.at(-1)
    if (!last || rates.length < batch) return lines
  }
}

/** The deck that is the default is none any more. */
async function noDefault(tx: EntityManager): Promise<void> {
  await tx.query('UPDATE rate_decks SET is_default = NULL WHERE is_default = 1')
}

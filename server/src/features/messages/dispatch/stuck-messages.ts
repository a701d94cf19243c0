/** Messages that wait for a carrier that is down, inactive or deleted, or that have waited for too long. */
import type { EntityManager } from 'typeorm'
import { type Database, afterCommit } from '../../../infrastructure/database/database.js'
import { grouped } from '../../../lib/grouped.js'
import type { MessageChange, MessageChanges } from '../message-changes.js'
import { expired, preferred } from './retry.js'
import { type Route, routesAfter, routesOf } from './routes.js'

/** Messages moved by one transaction. */
const batch = 500

interface Row {
  message_id: string
  phone_number_id: string
  attachments: number
  originator: string | null
  is_partly: number
}

interface Options {
  database: Database
  changes: MessageChanges
  /** Called after the commit: a carrier has been given messages. */
  wake: (carrierId: string) => void
}

const noRoute = { error_code: 'no_route', error_message: 'The number has no carrier that takes the message' }

export class StuckMessages {
  constructor(private readonly options: Options) {}

  /** Moves the messages of a carrier whose link has been down for long to carriers with a link that is up. */
  async moveFrom(carrierId: string): Promise<void> {
    if (!(await this.othersAreUp(carrierId))) return
    await this.inBatches(async (tx, after) => {
      const rows = await queuedFor(tx, carrierId, after)
      const routes = await routesOf(
        tx,
        rows.map(({ phone_number_id }) => phone_number_id),
      )
      const moved = rows.flatMap((row): [string, string][] => {
        const { later, earlier } = routesAfter(routes.get(row.phone_number_id) ?? [], carrierId, row)
        const next = [...later, ...earlier].find(({ isUp }) => isUp)
        return next && !row.is_partly ? [[row.message_id, next.carrierId]] : []
      })
      await this.move(tx, moved)
      return rows
    })
  }

  /** Messages without a carrier that is in use: another one of their number, or none and they fail. */
  async reroute(): Promise<void> {
    const rows = await this.options.database.source.query<{ carrier_id: string | null }[]>(
      `SELECT waiting.carrier_id FROM (SELECT DISTINCT carrier_id FROM message_queue) waiting
       LEFT JOIN carriers ON carriers.id = waiting.carrier_id AND carriers.is_active = 1
       WHERE carriers.id IS NULL`,
    )
    for (const { carrier_id } of rows) await this.rerouteFrom(carrier_id)
  }

  /** Messages that no carrier has taken in time. */
  async expire(): Promise<void> {
    await this.inBatches(async (tx) => {
      const rows = await tx.query<Row[]>(
        `SELECT message_id FROM message_queue WHERE state = 'queued' AND give_up_at <= ?
         LIMIT ${batch} FOR UPDATE SKIP LOCKED`,
        [new Date()],
      )
      const why = { error_code: expired.code, error_message: expired.message }
      await this.fail(
        tx,
        rows.map(({ message_id }) => message_id),
        why,
      )
      return rows
    })
  }

  private async rerouteFrom(carrierId: string | null): Promise<void> {
    await this.inBatches(async (tx, after) => {
      await putBackAbandoned(tx, carrierId)
      const rows = await queuedFor(tx, carrierId, after)
      const routes = await routesOf(
        tx,
        rows.map(({ phone_number_id }) => phone_number_id),
      )
      const routeOf = (row: Row) => routes.get(row.phone_number_id) ?? []
      const choices = rows.map((row) => ({ row, next: choiceOf(routeOf(row), carrierId, row) }))
      await this.move(
        tx,
        choices.flatMap(({ row, next }): [string, string][] =>
          next && !row.is_partly ? [[row.message_id, next.carrierId]] : [],
        ),
      )
      // A carrier that its number still has may be used again.
      const lost = choices.filter(
        ({ row, next }) => !next && !routeOf(row).some((route) => route.carrierId === carrierId),
      )
      await this.fail(
        tx,
        lost.map(({ row }) => row.message_id),
        noRoute,
      )
      return rows
    })
  }

  private async othersAreUp(carrierId: string): Promise<boolean> {
    const rows = await this.options.database.source.query<unknown[]>(
      `SELECT 1 FROM number_carriers assigned
       JOIN number_carriers other
         ON other.phone_number_id = assigned.phone_number_id AND other.carrier_id <> assigned.carrier_id
       JOIN carrier_leases lease ON lease.carrier_id = other.carrier_id
       WHERE assigned.carrier_id = ? AND lease.leased_until > UTC_TIMESTAMP(3) AND JSON_VALUE(lease.health, '$.state') = 'up'
       LIMIT 1`,
      [carrierId],
    )
    return rows.length > 0
  }

  /** @param work deals with the messages after an id, and returns them */
  private async inBatches(
    work: (tx: EntityManager, after: string) => Promise<readonly Row[]>,
  ): Promise<void> {
    let after = ''
    for (;;) {
      const rows = await this.options.database.transaction(async (tx) => work(tx, after))
      if (rows.length < batch) return
      after = rows.at(-1)?.message_id ?? ''
    }
  }

  /** @param moves messages, and the carriers that they go to */
  private async move(tx: EntityManager, moves: readonly (readonly [string, string])[]): Promise<void> {
    for (const [carrierId, those] of grouped(moves, ([, to]) => to)) {
      await tx.query('UPDATE message_queue SET carrier_id = ?, due_at = ? WHERE message_id IN (?)', [
        ...[carrierId, new Date()],
        those.map(([id]) => id),
      ])
      afterCommit(tx, () => this.options.wake(carrierId))
    }
  }

  private async fail(
    tx: EntityManager,
    ids: readonly string[],
    why: Pick<MessageChange, 'error_code' | 'error_message'>,
  ): Promise<void> {
    if (ids.length === 0) return
    await tx.query('DELETE FROM message_queue WHERE message_id IN (?)', [ids])
    await this.options.changes.apply(
      tx,
      ids.map((id) => ({ id, to: 'failed', ...why })),
    )
    // Segments that a carrier has taken are paid for, so the change that counts them comes first.
    await tx.query('DELETE FROM message_segments WHERE message_id IN (?)', [ids])
  }
}

function choiceOf(routes: readonly Route[], carrierId: string | null, row: Row): Route | undefined {
  const { later, earlier } = routesAfter(routes, carrierId, row)
  return preferred([...later, ...earlier])
}

/** Locked until the transaction ends. */
async function queuedFor(tx: EntityManager, carrierId: string | null, after: string): Promise<Row[]> {
  const queued = await tx.query<{ message_id: string }[]>(
    `SELECT message_id FROM message_queue WHERE carrier_id <=> ? AND state = 'queued' AND message_id > ?
     ORDER BY message_id LIMIT ${batch} FOR UPDATE SKIP LOCKED`,
    [carrierId, after],
  )
  if (queued.length === 0) return []
  return tx.query<Row[]>(
    `SELECT id AS message_id, phone_number_id, attachments, originator,
       EXISTS (SELECT 1 FROM message_segments WHERE message_segments.message_id = messages.id) AS is_partly
     FROM messages WHERE id IN (?) ORDER BY id`,
    [queued.map(({ message_id }) => message_id)],
  )
}

/** Requeues messages that were being submitted when their server died, if no server has leased the carrier since. */
async function putBackAbandoned(tx: EntityManager, carrierId: string | null): Promise<void> {
  if (carrierId === null) return
  const held = await tx.query<unknown[]>(
    'SELECT 1 FROM carrier_leases WHERE carrier_id = ? AND leased_until > UTC_TIMESTAMP(3)',
    [carrierId],
  )
  if (held.length > 0) return
  await tx.query(`UPDATE message_queue SET state = 'queued' WHERE carrier_id = ? AND state = 'submitting'`, [
    carrierId,
  ])
}

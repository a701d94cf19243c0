/** `Idempotency-Key`: a request that costs money is done once, however often it is sent. */
import { deleteInBatches } from './batches.js'
import { createHash } from 'node:crypto'
import { Column, Entity, type EntityManager, Index, PrimaryColumn } from 'typeorm'
import { asciiId, timestamp } from './columns.js'
import { type Database, isDuplicate } from './database.js'
import { insertRows } from './rows.js'
import type { Owner } from './workspace-table.js'

/** Keys are remembered for this long. */
const rememberedMs = 24 * 3_600_000

@Entity('idempotency_keys')
export class IdempotencyKey {
  @PrimaryColumn(asciiId) workspace_id!: string
  @PrimaryColumn({ type: 'varchar', length: 255, collation: 'utf8mb4_bin' }) idempotency_key!: string
  /** SHA-256 of the request, so that a key is not used again for another one. */
  @Column({ type: 'char', length: 64, charset: 'ascii', collation: 'ascii_bin' }) fingerprint!: string
  @Column({ type: 'json' }) answer!: unknown
  @Index()
  @Column(timestamp)
  created_at!: Date
}

/** Thrown when a key comes again with another request. */
export class KeyReusedError extends Error {}

/** Work whose answer is known before it is written. */
interface Written<T> {
  readonly answer: T
  readonly write: (remember: (tx: EntityManager) => Promise<void>) => Promise<void>
}

/** How a key is stored: two senders may use the same key. @param kind of sender */
export function ownKey(kind: string, sub: string, key: string): string {
  return createHash('sha256')
    .update(JSON.stringify([kind, sub, key]))
    .digest('hex')
}

export class Idempotency {
  constructor(private readonly database: Database) {}

  /**
   * Runs work in a transaction that also stores its answer under the key; a repetition gets
   * that answer. Without a key the work simply runs.
   * @param prepare checks the request and returns the work; not called for a repetition, as what
   *   was right then may be wrong by now
   * @throws {KeyReusedError} when the key was used for another request
   */
  async once<T>(
    owner: Owner,
    key: string | undefined,
    request: unknown,
    prepare: () => Promise<(tx: EntityManager) => Promise<T>>,
  ): Promise<{ answer: T; repeated: boolean }> {
    const prepareWrite = async () => {
      const work = await prepare()
      return async (keep: (tx: EntityManager, answer: T) => Promise<void>) =>
        this.database.transaction(async (tx) => {
          const answer = await work(tx)
          await keep(tx, answer)
          return answer
        })
    }
    return this.onceBy(owner, key, request, prepareWrite)
  }

  /**
   * As {@link once}, for work that begins its transaction itself and whose answer is known before.
   * @param prepare its `write` has `remember` run in its transaction, which may be tried again
   */
  async onceWritten<T>(
    owner: Owner,
    key: string | undefined,
    request: unknown,
    prepare: () => Promise<Written<T>>,
  ): Promise<{ answer: T; repeated: boolean }> {
    return this.onceBy(owner, key, request, async () => {
      const { answer, write } = await prepare()
      return async (keep) => {
        await write(async (tx) => keep(tx, answer))
        return answer
      }
    })
  }

  private async onceBy<T>(
    owner: Owner,
    key: string | undefined,
    request: unknown,
    prepare: () => Promise<(keep: (tx: EntityManager, answer: T) => Promise<void>) => Promise<T>>,
  ): Promise<{ answer: T; repeated: boolean }> {
    if (key === undefined) {
      const write = await prepare()
      return { answer: await write(async () => undefined), repeated: false }
    }
    const fingerprint = createHash('sha256').update(JSON.stringify(request)).digest('hex')
    const known = await this.answerOf<T>(owner, key, fingerprint)
    if (known) return { answer: known, repeated: true }
    const write = await prepare()
    const keep = async (tx: EntityManager, answer: T) => {
      const row = {
        workspace_id: owner.id,
        idempotency_key: key,
        fingerprint,
        answer,
        created_at: new Date(),
      }
      await insertRows(tx, IdempotencyKey, [row])
    }
    try {
      return { answer: await write(keep), repeated: false }
    } catch (error) {
      // Two requests with one key raced: the other one won, and its answer counts.
      const winner = isDuplicate(error) ? await this.answerOf<T>(owner, key, fingerprint) : undefined
      if (!winner) throw error
      return { answer: winner, repeated: true }
    }
  }

  /** Forgets keys older than a day. */
  async sweep(): Promise<void> {
    const before = new Date(Date.now() - rememberedMs)
    await deleteInBatches(this.database, 'idempotency_keys', 'created_at < ?', [before])
  }

  private async answerOf<T>(owner: Owner, key: string, fingerprint: string): Promise<T | undefined> {
    const row = await this.database
      .platformTable(IdempotencyKey)
      .findOneBy({ workspace_id: owner.id, idempotency_key: key })
    if (!row) return undefined
    if (row.fingerprint !== fingerprint) throw new KeyReusedError('the key was used for another request')
    return row.answer as T
  }
}

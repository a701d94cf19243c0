/**
 * Keeps the addresses of names in inbound ACLs as DNS has them: each name is resolved when it is new, and again when its
 * records expire. Addresses stay as they were while DNS does not answer. Several servers on one database may resolve the
 * same name; what they write is the same.
 */
import type { Logger } from 'pino'
import { type EntityManager, In, LessThanOrEqual, Not } from 'typeorm'
import type { Database } from '../../infrastructure/database/database.js'
import { rowsChanged } from '../../infrastructure/database/row-changes.js'
import type { CarrierAddresses, CarrierDns } from './carrier-dns.js'
import { addressOf } from '../../lib/hosts.js'
import { RepeatingTask } from '../../lib/repeating-task.js'
import { InboundAclAddress, InboundAclHost } from './inbound-acl-address.entity.js'
import { addressRow } from './inbound-acl-addresses.js'
import { InboundAcl } from './inbound-acl.entity.js'

/** How often names that are due are looked for, beside the moments when an ACL is written. */
const pollMs = 5_000
/** Names asked for at once: so many that names whose servers are silent hold up no others for long. */
const resolvedAtOnce = 50
/** A name is asked for again when its records run out, within these bounds. */
const minTtlSeconds = 30
const maxTtlSeconds = 300
/** Without records or an answer: soon, while the name or the ACL is fresh, later as seldom as others. */
const retrySeconds = 60
const freshMs = 3_600_000
/** Addresses are kept for this time, in milliseconds, while DNS does not answer. */
const retainedMs = 86_400_000

export class InboundAclResolver {
  private readonly running = new Map<string, Promise<void>>()
  private readonly task: RepeatingTask
  /** What was found is written one name after another: the database has others to serve. */
  private saving: Promise<unknown> = Promise.resolve()

  constructor(
    private readonly database: Database,
    private readonly dns: CarrierDns,
    private readonly log: Logger,
  ) {
    const failure = ['acl.read_failed', 'names of inbound ACLs cannot be read'] as const
    this.task = new RepeatingTask({ everyMs: pollMs, first: 'now', log, failure }, async (stopped) => {
      for (const host of await this.dueHosts()) {
        if (stopped.aborted) return
        this.running.set(host, this.resolve(host, stopped))
      }
    })
  }

  start(): void {
    this.task.start()
  }

  /** Gives up what is under way; it is as due as before. */
  async stop(): Promise<void> {
    const stopped = this.task.stop()
    this.dns.cancel()
    await stopped
    await Promise.all(this.running.values())
  }

  /** Looks for names that are due now instead of at the next poll. */
  wake(): void {
    this.task.again()
  }

  /** Names to resolve now, those first that wait longest. */
  private async dueHosts(): Promise<string[]> {
    const free = resolvedAtOnce - this.running.size
    if (free <= 0) return []
    const rows = await this.database
      .platformTable(InboundAclHost)
      .createQueryBuilder('row')
      .select('row.host', 'host')
      .where({ due_at: LessThanOrEqual(new Date()), host: Not(In([...this.running.keys()])) })
      .groupBy('row.host')
      .orderBy('MIN(row.due_at)')
      .limit(free)
      .getRawMany<{ host: string }>()
    return rows.map(({ host }) => host)
  }

  private async resolve(host: string, stopped: AbortSignal): Promise<void> {
    const found = await this.dns.resolve(host)
    const saved = this.saving.then(async () => !stopped.aborted && this.save(host, found))
    this.saving = saved
    const isSaved = await saved
    this.running.delete(host)
    if (isSaved) this.wake()
  }

  /** @returns false when the database refuses; the name stays due, and the next poll finds it */
  private async save(host: string, found: CarrierAddresses): Promise<boolean> {
    try {
      const rows = await this.database.platformTable(InboundAclHost).findBy({ host })
      for (const row of rows) await this.database.transaction(async (tx) => this.write(tx, row, found))
      const before = rows.find(({ error }) => error !== null)?.error
      const error = errorOf(found)
      if (error && error !== before)
        this.log.warn(
          { event: 'acl.name_not_found', host, error },
          'a name in an inbound ACL is not resolved',
        )
      return true
    } catch (error) {
      this.log.warn(
        { event: 'acl.write_failed', err: error, host },
        'addresses of an inbound ACL cannot be written',
      )
      return false
    }
  }

  private async write(
    tx: EntityManager,
    { acl_id, host }: InboundAclHost,
    found: CarrierAddresses,
  ): Promise<void> {
    // The same lock as a change of the ACL takes; the name may be gone from it.
    const acl = await tx.findOne(InboundAcl, { where: { id: acl_id }, lock: { mode: 'pessimistic_write' } })
    const row = acl && (await tx.findOneBy(InboundAclHost, { acl_id, host }))
    if (!row) return
    const now = Date.now()
    const isFresh = now - Math.max(acl.updated_at.getTime(), row.resolved_at?.getTime() ?? 0) < freshMs
    const current = await tx.findBy(InboundAclAddress, { acl_id, host })
    const kept = found.failure !== undefined && now - (row.resolved_at?.getTime() ?? 0) < retainedMs
    const wanted = new Set([...found.addresses, ...(kept ? current.map(textOf) : [])])
    const gone = current.filter((each) => !wanted.has(textOf(each)))
    const fresh = [...wanted].filter((address) => !current.some((each) => textOf(each) === address))
    for (const { first_address } of gone) await tx.delete(InboundAclAddress, { acl_id, host, first_address })
    if (fresh.length > 0)
      await tx.insert(
        InboundAclAddress,
        fresh.map((address) => addressRow(acl_id, host, address)),
      )
    if (gone.length + fresh.length > 0) rowsChanged(tx, 'inbound_acl_addresses', acl.workspace_id)
    await tx.update(
      InboundAclHost,
      { acl_id, host },
      {
        due_at: new Date(now + pauseSeconds(found, isFresh) * 1000),
        ...(found.failure === undefined && { resolved_at: new Date(now) }),
        error: errorOf(found),
      },
    )
  }
}

function textOf({ first_address }: InboundAclAddress): string {
  return addressOf(first_address)
}

function pauseSeconds({ ttl, failure }: CarrierAddresses, isFresh: boolean): number {
  if (ttl === undefined || failure !== undefined) return isFresh ? retrySeconds : maxTtlSeconds
  return Math.min(Math.max(ttl, minTtlSeconds), maxTtlSeconds)
}

function errorOf({ addresses, failure }: CarrierAddresses): string | null {
  if (failure !== undefined) return failure.slice(0, 100)
  return addresses.length > 0 ? null : 'no such name, or no address'
}

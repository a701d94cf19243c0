/**
 * Entries of the audit log that are no changes: log-ins, supervision, downloads. The same by the same once a minute is one
 * entry with a count, and a workspace gets so many a minute, so that a flood of bad log-ins cannot fill the table. Each of
 * them also is a line of the security log at once.
 */
import type { Logger } from 'pino'
import { type Change, type Origin, currentOrigin, recordChange } from './audit.js'
import { AuditEntry, type FieldChange } from './audit-entry.entity.js'
import type { Database } from './database.js'

const windowMs = 60_000
/** Entries of a workspace in a minute; what is more is one entry for all of an action. */
const maxEntries = 120
/** Counts are written this long after they have changed, in milliseconds. */
const writtenAfterMs = 1_000

interface Noted {
  readonly id: Promise<string>
  readonly changes: Readonly<Record<string, FieldChange>>
  times: number
  written: number
}

export class AuditTrail {
  private window = 0
  private noted = new Map<string, Noted>()
  private entries = new Map<string, number>()
  private timer: NodeJS.Timeout | undefined

  /** @param security the log of what concerns security alone */
  constructor(
    private readonly database: Database,
    private readonly security: Logger,
    private readonly log: Logger,
    private readonly now: () => number = Date.now,
  ) {}

  /** Notes what the request under way does. Resolves when it is kept; a failure to keep it is logged. */
  async note(change: Change): Promise<void> {
    const origin = currentOrigin()
    this.logChange(change, origin)
    try {
      await this.keep(change, origin)
    } catch (error) {
      this.log.error(
        { event: 'audit.entry_lost', err: error, action: change.action },
        'an entry of the audit log was not written',
      )
    }
  }

  /** Writes the counts that are not written yet. */
  async stop(): Promise<void> {
    clearTimeout(this.timer)
    this.timer = undefined
    await this.write(this.noted)
  }

  private logChange(
    { workspace_id, action, target, changes }: Change,
    { kind, id, ip, requestId }: Origin,
  ): void {
    this.security.info(
      {
        event: 'audit.security',
        ...{ action, workspace: workspace_id, actor: { kind, id }, ip, request: requestId },
        target: { type: target.type, id: target.id, ...(target.name != null && { name: target.name }) },
        ...(changes && { changes }),
      },
      'security',
    )
  }

  private async keep(change: Change, origin: Origin): Promise<void> {
    this.turn()
    const { workspace_id, action, target } = change
    const key = JSON.stringify([
      workspace_id,
      action,
      origin.kind,
      origin.id,
      origin.ip,
      target.id,
      target.name,
    ])
    const known = this.noted.get(key)
    if (known) {
      this.again(known)
      return
    }
    const scope = workspace_id ?? ''
    const count = (this.entries.get(scope) ?? 0) + 1
    if (count <= maxEntries) {
      this.entries.set(scope, count)
      return this.first(key, change)
    }
    const rest = JSON.stringify([workspace_id, action])
    const more = this.noted.get(rest)
    if (more) {
      this.again(more)
      return
    }
    return this.first(rest, {
      ...change,
      target: { type: target.type, id: 'several', name: null },
      changes: {},
    })
  }

  private async first(key: string, change: Change): Promise<void> {
    const { changes = {} } = change
    const id = recordChange(this.database.source.manager, change)
    this.noted.set(key, { id, changes, times: 1, written: 1 })
    await id
  }

  private again(noted: Noted): void {
    noted.times++
    this.timer ??= setTimeout(() => {
      this.timer = undefined
      void this.write(this.noted)
    }, writtenAfterMs)
  }

  private turn(): void {
    const window = Math.floor(this.now() / windowMs)
    if (window === this.window) return
    void this.write(this.noted)
    this.window = window
    this.noted = new Map()
    this.entries = new Map()
  }

  private async write(all: ReadonlyMap<string, Noted>): Promise<void> {
    for (const noted of all.values()) {
      const { times, changes } = noted
      if (times === noted.written) continue
      noted.written = times
      await this.database
        .platformTable(AuditEntry)
        .update({ id: await noted.id.catch(() => '') }, { changes: { ...changes, times: { to: times } } })
        .catch((error: unknown) =>
          this.log.warn(
            { event: 'audit.count_lost', err: error },
            'a count of the audit log was not written',
          ),
        )
    }
  }
}

/** Workspaces: what the operator can do with them. */
import type { Config } from '../../config/config.js'
import { type Database, isDuplicate, isMissingReference } from '../../infrastructure/database/database.js'
import { rowsChanged } from '../../infrastructure/database/row-changes.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import { differences, recordChange } from '../../infrastructure/database/audit.js'
import { ValidationError, conflict, invalidField, notFound } from '../../infrastructure/http/errors.js'
import { listPlatformRows } from '../../infrastructure/database/platform-list.js'
import type { Page } from '../../infrastructure/http/lists.js'
import { type EntityManager, IsNull, Not } from 'typeorm'
import { isSupportedCountry } from 'libphonenumber-js/max'
import type { RetentionPolicy } from './retention-policy.js'
import { agentsPrefix } from './sip-domains.js'
import type { CreditService } from './credit.service.js'
import type { CreateWorkspace, UpdateWorkspace, WorkspaceQuery } from './workspace.schema.js'
import { Workspace } from './workspace.entity.js'

/** Host names that are not workspaces. */
const reservedIds = new Set(['admin', 'api', 'www', 'sip'])

/** What else is done when a workspace is deleted. */
interface Deletion {
  /** Ends what may end with it. @throws 409 while something prevents it, such as live calls */
  guard: (workspace: Workspace) => Promise<void>
  /** Ends what could still act for it, and has its rows removed later. @throws 409 */
  close: (tx: EntityManager, workspace: Workspace) => Promise<void>
  /** Called when that is committed, and before the answer. */
  closed: (workspace: Workspace) => Promise<void>
}

/** Makes rows of a workspace, in the transaction that creates it. */
type RowsWork = (tx: EntityManager, workspace: Workspace) => Promise<void>

export class WorkspaceService {
  private deletion: Deletion | undefined
  private readonly makers: RowsWork[] = []
  private readonly suspensions: ((workspace: Workspace) => void)[] = []

  constructor(
    private readonly database: Database,
    private readonly credit: CreditService,
    private readonly policy: Pick<RetentionPolicy, 'problemsOf'>,
    private readonly defaults: Config['new_workspaces'],
    private readonly cache: WorkspaceCache = new WorkspaceCache(),
  ) {}

  /** Says what deleting a workspace means for all that it has. */
  whenDeleted(deletion: Deletion): void {
    this.deletion = deletion
  }

  /** Adds rows that every workspace has from its beginning. */
  createAlso(maker: RowsWork): void {
    this.makers.push(maker)
  }

  /** Adds what is done when a workspace has been suspended. */
  whenSuspended(listener: (workspace: Workspace) => void): void {
    this.suspensions.push(listener)
  }

  /** @throws 409 when the id is taken */
  async create(input: CreateWorkspace): Promise<Workspace> {
    if (await this.isReserved(input.id)) throw conflict(`The workspace id ${input.id} is reserved`)
    checkCountry(input.country_code)
    const now = new Date()
    const { countries, max_spend_per_day } = this.defaults
    const allowed_countries = countries === 'own' ? [input.country_code] : null
    const limits = { max_concurrent_calls: null, max_calls_per_second: null, allowed_countries }
    const quotas = { call_recording: true, call_internal_recording: true, call_signing: false }
    const premium = { allow_premium_rate: false }
    const spending = { max_spend_per_hour: null, max_spend_per_day: max_spend_per_day || null }
    const retention = {
      ...{ call_retention_days: null, message_retention_days: null, recording_retention_days: null },
      ...{
        ledger_retention_days: null,
        webhook_delivery_retention_days: null,
        audit_log_retention_days: null,
      },
    }
    const kept = {
      ...spending,
      ...retention,
      max_storage_mb: null,
      ...{ rate_deck_id: null, emergency_gateway_id: null },
      leaders_only_own_teams: false,
      agents_pause_recordings: true,
      voicemail_transcription: true,
      away_reasons: null,
      ...({ recording_notice: 'none', recording_notice_audio_id: null } as const),
      ...{ recording_notice_text: null, recording_notice_voice: null },
      created_at: now,
      updated_at: now,
      deleted_at: null,
    }
    const workspace: Workspace = {
      ...input,
      is_suspended: false,
      transfers_by: 'any_agent',
      ...limits,
      ...premium,
      ...quotas,
      ...kept,
    }
    try {
      await this.database.transaction(async (tx) => {
        await tx.insert(Workspace, workspace)
        await this.credit.open(tx, workspace)
        for (const make of this.makers) await make(tx, workspace)
        await recordChange(tx, changeOf('workspace.create', workspace, workspace.id))
      })
    } catch (error) {
      if (!isDuplicate(error)) throw error
      const { deleted_at } = (await this.table.findOneBy({ id: input.id })) ?? { deleted_at: null }
      if (deleted_at) throw conflict(`The workspace ${input.id} is still being deleted: try again later`)
      throw conflict(`The workspace ${input.id} exists already`)
    }
    return workspace
  }

  async list({ rate_deck_id, ...request }: WorkspaceQuery): Promise<Page<Workspace>> {
    return listPlatformRows(this.table, request, ['id', 'title'], {
      deleted_at: IsNull(),
      ...(rate_deck_id && { rate_deck_id }),
    })
  }

  /** @throws 404 */
  async get(id: string): Promise<Workspace> {
    const workspace = await this.table.findOneBy({ id, deleted_at: IsNull() })
    if (!workspace) throw notFound(`Workspace ${id} not found`)
    return workspace
  }

  /** The workspace of a host name, or null; kept in memory for a moment, as every request asks for it. */
  async find(id: string): Promise<Workspace | null> {
    const cached = this.cache.get(id)
    if (cached) return cached
    const { changes } = this.cache
    const workspace = await this.table.findOneBy({ id, deleted_at: IsNull() })
    // What was read before a change is not kept after it.
    if (workspace && changes === this.cache.changes) this.cache.set(workspace)
    return workspace
  }

  /** Drops what is kept in memory of a workspace that has changed. */
  forget(id: string): void {
    this.cache.delete(id)
  }

  /** Whether a workspace of this id would share a host name with us, or a SIP domain with another workspace's agents. */
  private async isReserved(id: string): Promise<boolean> {
    if (reservedIds.has(id) || id.startsWith(agentsPrefix)) return true
    return this.table.existsBy({ id: `${agentsPrefix}${id}` })
  }

  /** @throws 400 unknown country, or days of retention out of the operator's bounds; 404 */
  async update(
    id: string,
    changes: UpdateWorkspace & Partial<Pick<Workspace, 'emergency_gateway_id'>>,
  ): Promise<Workspace> {
    const outOfBounds = this.policy.problemsOf(changes)
    if (outOfBounds.length > 0) throw new ValidationError(outOfBounds)
    if (changes.country_code !== undefined) checkCountry(changes.country_code)
    changes.allowed_countries?.forEach((code, index) => checkCountry(code, `allowed_countries.${index}`))
    const updated = await this.database.transaction(async (tx) => {
      const before = await lock(tx, id)
      const after = { ...before, ...changes, updated_at: new Date() }
      await tx.update(Workspace, id, after).catch((error: unknown) => {
        if (!isMissingReference(error)) throw error
        if (changes.emergency_gateway_id) throw unknownGateway()
        throw invalidField('rate_deck_id', 'rate_deck_id is not a rate deck')
      })
      const change = { ...changeOf('workspace.update', after, id), changes: differences(before, after, []) }
      if (Object.keys(change.changes).length > 0) await recordChange(tx, change)
      rowsChanged(tx, 'workspaces', id)
      return after
    })
    if (changes.is_suspended) for (const listener of this.suspensions) listener(updated)
    return updated
  }

  /**
   * Deletes a workspace: it is closed when this returns, and nothing of it can be used any more. A job removes its rows;
   * until it is done the id is taken.
   * @throws 404 unknown, 409 while something prevents it
   */
  async delete(id: string): Promise<Workspace> {
    const workspace = await this.get(id)
    await this.deletion?.guard(workspace)
    await this.database.transaction(async (tx) => {
      await lock(tx, id)
      await tx.update(Workspace, id, { deleted_at: new Date(), is_suspended: true })
      await this.deletion?.close(tx, workspace)
      // The workspace's own log goes with it; that it was deleted stays in the operator's.
      await recordChange(tx, changeOf('workspace.delete', workspace, null))
      rowsChanged(tx, 'workspaces', id)
    })
    await this.deletion?.closed(workspace)
    return workspace
  }

  /** Removes the row of a workspace that was deleted, and with it what has no other end. */
  async remove(tx: EntityManager, { id }: Owner): Promise<void> {
    await tx.delete(Workspace, { id, deleted_at: Not(IsNull()) })
    rowsChanged(tx, 'workspaces', id)
  }

  private get table() {
    return this.database.platformTable(Workspace)
  }
}

/** @throws 404 */
async function lock(tx: EntityManager, id: string): Promise<Workspace> {
  const where = { id, deleted_at: IsNull() }
  const workspace = await tx.findOne(Workspace, { where, lock: { mode: 'pessimistic_write' } })
  if (!workspace) throw notFound(`Workspace ${id} not found`)
  return workspace
}

/** The error for a gateway that is not the workspace's. */
export function unknownGateway() {
  const field = 'emergency_gateway_id'
  return invalidField(field, `${field} is not an outbound gateway of this workspace`)
}

/** @throws 400 */
function checkCountry(code: string, field = 'country_code'): void {
  if (isSupportedCountry(code)) return
  throw invalidField(field, `${field} ${code} is not a known country`)
}

function changeOf(action: string, { id, title }: Workspace, workspace_id: string | null) {
  return { workspace_id, action, target: { type: 'workspace', id, name: title } }
}

/** Workspaces seen lately. */
class WorkspaceCache {
  /** How many were dropped. */
  changes = 0
  private readonly entries = new Map<string, { workspace: Workspace; until: number }>()
  private static readonly retainedMs = 2_000
  private static readonly maxEntries = 10_000

  get(id: string): Workspace | null {
    const entry = this.entries.get(id)
    return entry && entry.until > Date.now() ? entry.workspace : null
  }

  set(workspace: Workspace): void {
    if (this.entries.size >= WorkspaceCache.maxEntries) this.entries.clear()
    this.entries.set(workspace.id, { workspace, until: Date.now() + WorkspaceCache.retainedMs })
  }

  delete(id: string): void {
    this.changes += 1
    this.entries.delete(id)
  }
}

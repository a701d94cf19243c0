/**
 * The audit log's writing side: every change is one row, written in the transaction that makes the
 * change. Who makes it is known from the request under way, not handed down through every call.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { EntityManager } from 'typeorm'
import { type ActorKind, AuditEntry, type FieldChange } from './audit-entry.entity.js'
import { newId } from './ids.js'
import { insertRows } from './rows.js'

/** Who makes the changes of a request, and from where. */
export interface Origin {
  readonly kind: ActorKind
  /** An API key's sid, an agent's id or a client's `sub`; null for the operator and the platform. */
  readonly id: string | null
  readonly ip: string | null
  readonly requestId: string | null
}

const platform: Origin = { kind: 'system', id: null, ip: null, requestId: null }
const origins = new AsyncLocalStorage<Origin>()

/** Runs `work` with `origin` as the audit actor of its changes. */
export function actingAs<T>(origin: Origin, work: () => T): T {
  return origins.run(origin, work)
}

/** Runs `work` with the platform as audit actor: for work that outlives the request that started it. */
export function actingAsPlatform<T>(work: () => T): T {
  return origins.run(platform, work)
}

/** Who makes the changes of the request under way; the platform outside of any. */
export function currentOrigin(): Origin {
  return origins.getStore() ?? platform
}

export interface Change {
  workspace_id: string | null
  /** `<noun>.<verb>`. */
  action: string
  target: { type: string; id: string; name?: string | null }
  changes?: Record<string, FieldChange>
}

/** Runs `work` with an agent as audit actor who authenticated in the request itself, as at a login. */
export function actingAsAgent<T>(id: string, work: () => T): T {
  return origins.run({ ...(origins.getStore() ?? platform), kind: 'agent', id }, work)
}

/** Writes one entry in the transaction of its change. @returns its id */
export async function recordChange(tx: EntityManager, change: Change): Promise<string> {
  const origin = currentOrigin()
  const id = newId('log')
  const entry: AuditEntry = {
    id,
    workspace_id: change.workspace_id,
    actor_kind: origin.kind,
    actor_id: origin.id,
    action: change.action,
    target_type: change.target.type,
    target_id: change.target.id,
    target_name: change.target.name?.slice(0, maxName) ?? null,
    changes: change.changes ?? {},
    ip: origin.ip,
    request_id: origin.requestId,
    created_at: new Date(),
  }
  await insertRows(tx, AuditEntry, [entry])
  return id
}

const maxName = 254

/** Of values longer than this, as JSON, only the length is recorded. */
const maxValue = 500

/** Fields that say nothing about what was changed. */
const unreported = new Set(['id', 'workspace_id', 'created_at', 'updated_at', 'registration_serial'])

/**
 * The fields in which two states of a row differ.
 * @param hidden fields whose values are not recorded, only that they changed
 */
export function differences(
  before: object | null,
  after: object | null,
  hidden: readonly string[],
): Record<string, FieldChange> {
  const old = (before ?? {}) as Record<string, unknown>
  const now = (after ?? {}) as Record<string, unknown>
  const changes: Record<string, FieldChange> = {}
  for (const field of new Set([...Object.keys(old), ...Object.keys(now)])) {
    if (unreported.has(field) || JSON.stringify(old[field]) === JSON.stringify(now[field])) continue
    const recorded = (value: unknown) => (hidden.includes(field) ? '(hidden)' : shortened(value))
    changes[field] = {
      ...(before && field in old && { from: recorded(old[field]) }),
      ...(after && field in now && { to: recorded(now[field]) }),
    }
  }
  return changes
}

function shortened(value: unknown): unknown {
  const json = JSON.stringify(value) ?? 'null'
  if (json.length > maxValue) return `(${json.length} characters)`
  // JSON columns refuse halves of a surrogate pair, which texts elsewhere may hold.
  return JSON.parse(json.replace(loneSurrogate, '\\ufffd'))
}

/** As JSON.stringify escapes it. */
const loneSurrogate = /\\ud[89a-f][0-9a-f]{2}/g

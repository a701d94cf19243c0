/** The audit log's reading side. */
import { isIP } from 'node:net'
import type { SelectQueryBuilder } from 'typeorm'
import { AuditEntry } from '../../infrastructure/database/audit-entry.entity.js'
import type { Database } from '../../infrastructure/database/database.js'
import { addressText } from '../../infrastructure/http/client-address.js'
import { invalidField } from '../../infrastructure/http/errors.js'
import type { Page } from '../../infrastructure/http/lists.js'
import { actorNames } from './actor-names.js'
import type { AuditQuery } from './audit-log.schema.js'

export class AuditLogService {
  constructor(private readonly database: Database) {}

  /**
   * @param workspaceId of all workspaces, and of what belongs to none, when it is undefined
   * @throws 400 a time that there is not, `ip` that is no address
   */
  async list(workspaceId: string | undefined, query: AuditQuery): Promise<Page<AuditEntry>> {
    const found = this.database.platformTable(AuditEntry).createQueryBuilder('row')
    if (workspaceId !== undefined) found.where('row.workspace_id = :workspaceId', { workspaceId })
    filter(found, query)
    const counted = found.clone().select('COUNT(*)', 'total')
    const order = query.sort_order === 'asc' ? 'ASC' : 'DESC'
    found.orderBy('row.created_at', order).addOrderBy('row.id', order)
    found.offset((query.page - 1) * query.limit).limit(query.limit)
    const [rows, count] = await Promise.all([found.getMany(), counted.getRawOne<{ total: string }>()])
    return { rows, total: Number(count?.total) }
  }

  /** What the keys and agents of some entries are called, by their ids. Those that are gone are left out. */
  async actorNames(entries: readonly AuditEntry[]): Promise<ReadonlyMap<string, string>> {
    return actorNames(
      this.database,
      entries.map(({ actor_kind: kind, actor_id: id }) => ({ kind, id })),
    )
  }
}

function filter(found: SelectQueryBuilder<AuditEntry>, query: AuditQuery): void {
  const { actor, action, target_id } = query
  if (actor) found.andWhere('(row.actor_kind = :actor OR row.actor_id = :actor)', { actor })
  if (action?.includes('.')) found.andWhere('row.action = :action', { action })
  else if (action) found.andWhere('row.target_type = :action', { action })
  if (target_id) found.andWhere('row.target_id = :target_id', { target_id })
  if (query.ip !== undefined) found.andWhere('row.ip = :ip', { ip: addressOf(query.ip) })
  if (query.from) found.andWhere('row.created_at >= :from', { from: timeOf('from', query.from) })
  if (query.to) found.andWhere('row.created_at < :to', { to: timeOf('to', query.to) })
}

/** Leap seconds are valid ISO 8601, and no time that a Date can hold. */
function timeOf(field: string, text: string): Date {
  const time = new Date(text)
  if (Number.isNaN(time.getTime())) throw invalidField(field, `${field} must be a time`)
  return time
}

/** As the log has it. */
function addressOf(text: string): string {
  if (isIP(text) === 0) throw invalidField('ip', 'ip must be an IPv4 or IPv6 address')
  return addressText(text)
}

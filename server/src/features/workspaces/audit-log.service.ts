/** The audit log's reading side. */
import { isIP } from 'node:net'
import type { SelectQueryBuilder } from 'typeorm'
import { AuditEntry } from '../../infrastructure/database/audit-entry.entity.js'
import type { Database } from '../../infrastructure/database/database.js'
import { type Span, directionOf, pageOfRows } from '../../infrastructure/database/paged.js'
import { addressText } from '../../infrastructure/http/client-address.js'
import { invalidField } from '../../infrastructure/http/errors.js'
import type { ListRequest, Page } from '../../infrastructure/http/lists.js'
import { actorNames } from './actor-names.js'
import type { AuditQuery } from './audit-log.schema.js'

export class AuditLogService {
  constructor(private readonly database: Database) {}

  /**
   * @param workspaceId of all workspaces, and of what belongs to none, when it is undefined
   * @throws 400 a time that there is not, `ip` that is no address
   */
  async list(
    workspaceId: string | undefined,
    query: AuditQuery & Pick<ListRequest, 'after'>,
  ): Promise<Page<AuditEntry>> {
    const found = this.database.platformTable(AuditEntry).createQueryBuilder('row')
    if (workspaceId !== undefined) found.where('row.workspace_id = :workspaceId', { workspaceId })
    filter(found, query)
    const rows = async ({ limit, offset, isBackward }: Span) => {
      const direction = directionOf(query.sort_order, { isBackward })
      const read = found.clone().orderBy('row.created_at', direction).addOrderBy('row.id', direction)
      return read.offset(offset).limit(limit).getMany()
    }
    if (query.after) {
      const { created_at: since, id: last } = query.after
      found.andWhere('row.created_at >= :since AND NOT (row.created_at = :since AND row.id <= :last)')
      found.setParameters({ since, last })
      return { rows: await rows({ limit: query.limit, offset: 0, isBackward: false }), total: 0 }
    }
    return pageOfRows(query, rows, async () => {
      const count = await found.clone().select('COUNT(*)', 'total').getRawOne<{ total: string }>()
      return Number(count?.total)
    })
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

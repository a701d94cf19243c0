/**
 * A table whose rows belong to workspaces. Every query takes the workspace first, so there is no
 * way to load a row without saying whose.
 */
import {
  Brackets,
  type EntityManager,
  type EntityTarget,
  type FindOptionsWhere,
  In,
  type SelectQueryBuilder,
} from 'typeorm'
import { differences, recordChange } from './audit.js'
import type { Database } from './database.js'
import { type Found, type ListOptions, beginsAnIndex } from './list-options.js'
import { type Span, directionOf, pageOfRows } from './paged.js'
import { countRows, findRow, firstRows, insertRows } from './rows.js'
import { rowsChanged } from './row-changes.js'
import { inSearchText, searchTextOf } from './search-text.js'
import { anywhere } from './search.js'

/** What every row of a workspace has. */
export interface WorkspaceRow {
  id: string
  workspace_id: string
}

/** Whose rows are spoken of. */
export interface Owner {
  readonly id: string
}

/** How changes of a table are recorded in the audit log. */
interface AuditOptions<E> {
  /** The noun of its actions: `agent` for `agent.update`. Without it the table is not audited. */
  readonly audited?: string
  /** Columns whose values are never recorded. */
  readonly hidden?: readonly (keyof E & string)[] | undefined
  /** What the API calls a column, where it has another name for it. */
  readonly fields?: Readonly<Partial<Record<keyof E & string, string>>> | undefined
}

export class WorkspaceTable<E extends WorkspaceRow> {
  constructor(
    private readonly database: Database,
    private readonly entity: EntityTarget<E>,
    private readonly options: AuditOptions<E> = {},
    private readonly tx?: EntityManager,
  ) {}

  /** In the database. */
  get name(): string {
    return this.repository.metadata.tableName
  }

  /** The same table inside a transaction. */
  in(tx: EntityManager): WorkspaceTable<E> {
    return new WorkspaceTable(this.database, this.entity, this.options, tx)
  }

  /** Finds a row and locks it until the transaction ends. */
  async lock(workspace: Owner, id: string): Promise<E | null> {
    return this.repository.findOne({
      where: { id, workspace_id: workspace.id } as FindOptionsWhere<E>,
      lock: { mode: 'pessimistic_write' },
    })
  }

  async find(workspace: Owner, id: string): Promise<E | null> {
    return this.findWith(workspace, { id } as Partial<E>)
  }

  /** The row whose columns have these values, which no two rows of the workspace have. */
  async findWith(workspace: Owner, values: Partial<E>): Promise<E | null> {
    const where = { ...values, workspace_id: workspace.id }
    return findRow(this.repository.manager, this.entity, where)
  }

  async has(workspace: Owner, id: string): Promise<boolean> {
    const rows = await this.repository.query<unknown[]>(
      `SELECT 1 FROM \`${this.name}\` WHERE id = ? AND workspace_id = ?`,
      [id, workspace.id],
    )
    return rows.length > 0
  }

  async findBy(workspace: Owner, where: FindOptionsWhere<E>): Promise<E | null> {
    return this.repository.findOneBy({ ...where, workspace_id: workspace.id })
  }

  /** Rows that match, at most `limit`, oldest first. */
  async findAll(workspace: Owner, where: FindOptionsWhere<E>, limit: number): Promise<E[]> {
    return this.repository.find({
      where: { ...where, workspace_id: workspace.id },
      order: { id: 'ASC' } as never,
      take: limit,
    })
  }

  /** Those of the ids that are rows of the workspace, oldest first. */
  async findMany(workspace: Owner, ids: readonly string[]): Promise<E[]> {
    if (ids.length === 0) return []
    return this.findAll(workspace, { id: In(ids as string[]) } as FindOptionsWhere<E>, ids.length)
  }

  /** Ids of the rows that have one of these values in a column, by value. */
  async idsBy(
    workspace: Owner,
    column: keyof E & string,
    values: readonly string[],
  ): Promise<Map<string, string>> {
    if (values.length === 0) return new Map()
    const rows = await this.repository.find({
      select: { id: true, [column]: true } as never,
      where: { workspace_id: workspace.id, [column]: In(values as string[]) } as never,
    })
    return new Map(rows.map((row) => [String(row[column]), row.id]))
  }

  async count(workspace: Owner): Promise<number> {
    return countRows(this.repository.manager, this.entity, workspace.id)
  }

  /** One page. Sorting by a column that is not unique is settled by the id. */
  async list(workspace: Owner, options: ListOptions<E>): Promise<Found<E>> {
    if (beginsAnIndex(options)) return this.beginning(workspace, options)
    const query = this.repository
      .createQueryBuilder('row')
      .where({ ...options.where, workspace_id: workspace.id })
    if (options.search && (this.searchText || options.searched?.length)) {
      const found = this.searching(options.search, options.searched ?? [])
      const { column, values } = options.alsoFound ?? { values: [] }
      query.andWhere(
        new Brackets((either) => {
          either.where(...found)
          if (values.length > 0) either.orWhere(`row.${column} IN (:...alsoFound)`, { alsoFound: values })
        }),
      )
    }
    if (options.index) query.useIndex(options.index)
    const rows = async ({ limit, offset, isBackward }: Span) => {
      const read = query.clone().limit(limit).offset(offset)
      const direction = directionOf(options.sort_order, { isBackward })
      read.orderBy(`row.${options.sort_field}`, direction).addOrderBy('row.id', direction)
      return this.byIds(workspace, read, options.columns)
    }
    if (options.after) {
      // The first condition lets the database begin in the middle of the index.
      query.andWhere('row.created_at >= :since AND NOT (row.created_at = :since AND row.id <= :last)', {
        ...{ since: options.after.created_at, last: options.after.id },
      })
      return { rows: await rows({ limit: options.limit, offset: 0, isBackward: false }), total: 0 }
    }
    return pageOfRows(options, rows, async () => {
      if (options.total) return options.total()
      // TypeORM's own count is of distinct ids, which the database cannot take from an index alone.
      const count = await query.clone().select('COUNT(*)', 'total').getRawOne<{ total: string }>()
      return Number(count?.total)
    })
  }

  /** The condition of a search, with its parameters by name. */
  private searching(text: string, columns: readonly string[]): [sql: string, parameters: object] {
    if (!this.searchText) return anywhere(columns, text)
    const { sql, values } = inSearchText(this.searchText, { table: this.name, row: 'row' }, text)
    let place = 0
    return [
      sql.replaceAll('?', () => `:sought${place++}`),
      Object.fromEntries(values.map((value, index) => [`sought${index}`, value])),
    ]
  }

  /** What most lists are asked for: TypeORM's builder took a sixth of such a request to make the same statements. */
  private async beginning(
    workspace: Owner,
    { sort_field: by, sort_order, limit, index, total }: ListOptions<E>,
  ): Promise<Found<E>> {
    const { manager } = this.repository
    const order = sort_order === 'asc' ? 'ASC' : 'DESC'
    return firstRows(manager, this.entity, workspace.id, { by, order, limit, index, total })
  }

  /** The ids come first, from an index where one covers sorting and search: only the rows that are shown are read. */
  private async byIds(
    workspace: Owner,
    query: SelectQueryBuilder<E>,
    columns: ListOptions<E>['columns'],
  ): Promise<E[]> {
    const ids = await query.select('row.id', 'id').getRawMany<{ id: string }>()
    if (ids.length === 0) return []
    const rows = await this.repository.find({
      ...(columns && { select: Object.fromEntries(columns.map((column) => [column, true])) as never }),
      where: { id: In(ids.map(({ id }) => id)), workspace_id: workspace.id } as never,
    })
    const byId = new Map(rows.map((row) => [row.id, row]))
    return ids.flatMap(({ id }) => byId.get(id) ?? [])
  }

  /** @param name in the audit log, of a row that has none itself */
  async insert(row: E, name?: string): Promise<E> {
    await this.changing(row.workspace_id, async (table) => {
      const { manager } = table.repository
      await insertRows(manager, this.entity, [row])
      await table.record('create', null, row, name)
    })
    return row
  }

  /** Changes the named columns. Nothing happens when there is no such row. */
  async update(workspace: Owner, id: string, changes: Partial<E>): Promise<void> {
    if (Object.keys(changes).length === 0) return
    await this.changing(workspace.id, async (table) => {
      const isRenamed = this.searchText?.made.some((property) => property in changes)
      const before = this.options.audited || isRenamed ? await table.lock(workspace, id) : null
      const where = { id, workspace_id: workspace.id } as FindOptionsWhere<E>
      const text = before && isRenamed ? this.texted({ ...before, ...changes }) : {}
      await table.repository.update(where, { ...changes, ...text } as never)
      if (before) await table.record('update', before, { ...before, ...changes })
    })
  }

  /** @param name in the audit log, of a row that has none itself */
  async delete(workspace: Owner, id: string, name?: string): Promise<void> {
    await this.changing(workspace.id, async (table) => {
      const before = this.options.audited ? await table.lock(workspace, id) : null
      await table.repository.delete({ id, workspace_id: workspace.id } as FindOptionsWhere<E>)
      if (before) await table.record('delete', before, null, name)
    })
  }

  /** For a workspace that is being deleted; not audited row by row. */
  async deleteAll(workspace: Owner): Promise<void> {
    await this.changing(workspace.id, async ({ repository }) => {
      await repository.delete({ workspace_id: workspace.id } as FindOptionsWhere<E>)
    })
  }

  /** An audited change and its entry are one transaction. */
  private async changing(
    workspaceId: string,
    work: (table: WorkspaceTable<E>) => Promise<void>,
  ): Promise<void> {
    if (this.tx || !(this.options.audited || this.searchText)) {
      await work(this)
      const { manager, metadata } = this.repository
      rowsChanged(manager, metadata.tableName, workspaceId)
    } else await this.database.transaction(async (tx) => this.in(tx).changing(workspaceId, work))
  }

  private async record(verb: string, before: E | null, after: E | null, name?: string): Promise<void> {
    const row = after ?? before
    const { audited, hidden } = this.options
    if (!audited || !row || !this.tx) return
    const changed = Object.entries(differences(before, after, hidden ?? []))
    if (before && after && changed.length === 0) return
    const fields: Readonly<Record<string, string | undefined>> = this.options.fields ?? {}
    const changes = Object.fromEntries(changed.map(([column, change]) => [fields[column] ?? column, change]))
    await recordChange(this.tx, {
      workspace_id: row.workspace_id,
      action: `${audited}.${verb}`,
      target: { type: audited, id: row.id, name: name ?? nameOf(row) },
      changes,
    })
  }

  private get searchText() {
    return searchTextOf(this.entity)
  }

  private texted(row: E): object {
    return this.searchText ? { search_text: this.searchText.of(row) } : {}
  }

  private get repository() {
    return this.database.platformTable(this.entity, this.tx)
  }
}

/** What people call a row: the first of the columns that hold names. */
export function nameOf(row: object): string | null {
  const columns = row as Record<string, unknown>
  const name = ['title', 'name', 'display_name', 'number'].map((column) => columns[column]).find(Boolean)
  return typeof name === 'string' ? name : null
}

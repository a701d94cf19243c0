/**
 * Plain statements on single tables, for what every call writes: TypeORM's own builders make the same SQL in several
 * times the time (bench/inbound). Columns, their transformers and types are those of the entities.
 */
import type { EntityManager, EntityMetadata, EntityTarget, ObjectLiteral } from 'typeorm'
import { later } from './combined.js'
import { searchTextOf } from './search-text.js'

/** Writes rows, all in one statement; of a combined transaction `later`. Columns that none of them has have their defaults. */
export async function insertRows<E extends ObjectLiteral>(
  tx: EntityManager,
  entity: EntityTarget<E>,
  rows: readonly E[],
): Promise<void> {
  if (rows.length === 0) return
  const { tableName, columns: all } = tx.dataSource.getMetadata(entity)
  const searchText = searchTextOf(entity)
  const columns = all.filter(
    ({ propertyName }) =>
      rows.some((row) => row[propertyName] !== undefined) || (searchText && propertyName === 'search_text'),
  )
  const names = columns.map(({ databaseName }) => `\`${databaseName}\``).join(', ')
  const places = `(${columns.map(() => '?').join(', ')})`
  await later(
    tx,
    `INSERT INTO \`${tableName}\` (${names}) VALUES ${rows.map(() => places).join(', ')}`,
    rows.flatMap((row) =>
      columns.map((column) =>
        searchText && column.propertyName === 'search_text'
          ? searchText.of(row)
          : kept(tx, column, row[column.propertyName]),
      ),
    ),
  )
}

/**
 * Goes after the table of an UPDATE of one row. MariaDB may otherwise choose another index with as few rows, such as that of
 * live calls while there is one: it locks that index before the row. The end of a call locks the row first, then that
 * index, from which it removes the row: a deadlock.
 */
export const byPrimary = 'FORCE INDEX (PRIMARY)'

/**
 * Keeps a row as it is until the transaction ends, by writing it: a lock alone does not hold on other nodes of a cluster.
 * @param table that has a column `guard`
 * @returns whether there is such a row
 */
export async function guardRow(
  tx: EntityManager,
  table: 'calls' | 'workspaces',
  where: { readonly text: string; readonly values: readonly unknown[] },
): Promise<boolean> {
  const { affectedRows } = await tx.query<{ affectedRows: number }>(...guardOf(table, where))
  return affectedRows === 1
}

/** The statement of {@link guardRow}. */
export function guardOf(
  table: 'calls' | 'workspaces',
  where: { readonly text: string; readonly values: readonly unknown[] },
): [sql: string, values: unknown[]] {
  return [`UPDATE ${table} ${byPrimary} SET guard = 1 - guard WHERE ${where.text}`, [...where.values]]
}

/** Changes the rows whose columns have these values. @returns how many have */
export async function updateRows<E extends ObjectLiteral>(
  tx: EntityManager,
  entity: EntityTarget<E>,
  where: Partial<E>,
  changes: Partial<E>,
): Promise<number> {
  const { sql, values } = updateOf(tx, entity, where, changes)
  const { affectedRows } = await tx.query<{ affectedRows: number }>(sql, values)
  return affectedRows
}

/** As {@link updateRows}, `later`. */
export async function updateRowsLater<E extends ObjectLiteral>(
  tx: EntityManager,
  entity: EntityTarget<E>,
  where: Partial<E>,
  changes: Partial<E>,
): Promise<void> {
  const { sql, values } = updateOf(tx, entity, where, changes)
  await later(tx, sql, values)
}

function updateOf<E extends ObjectLiteral>(
  tx: EntityManager,
  entity: EntityTarget<E>,
  where: Partial<E>,
  changes: Partial<E>,
): { sql: string; values: unknown[] } {
  const metadata = tx.dataSource.getMetadata(entity)
  const set = assignments(tx, metadata, changes)
  const found = assignments(tx, metadata, where)
  // Of a row that is named, its own index is taken.
  const hint = metadata.primaryColumns.every(({ propertyName }) => propertyName in where) ? byPrimary : ''
  const sql = `UPDATE \`${metadata.tableName}\` ${hint} SET ${set.texts.join(', ')} WHERE ${found.texts.join(' AND ')}`
  return { sql, values: [...set.values, ...found.values] }
}

/**
 * The first rows of a workspace in an order, as the entity has them, and how many it has: in one statement, unless `total`
 * knows how many.
 */
export async function firstRows<E extends ObjectLiteral>(
  tx: EntityManager,
  entity: EntityTarget<E>,
  workspaceId: string,
  { by, order, limit, index, total }: FirstRows,
): Promise<{ rows: E[]; total: number }> {
  const { tableName, columns } = tx.dataSource.getMetadata(entity)
  const read = columns.filter(({ isSelect }) => isSelect)
  const names = read.map(({ databaseName }) => `\`${databaseName}\``).join(', ')
  const inAll = total ? '' : `, (SELECT COUNT(*) FROM \`${tableName}\` WHERE workspace_id = ?) AS rows_in_all`
  const found = await tx.query<Record<string, unknown>[]>(
    `SELECT ${names}${inAll} FROM \`${tableName}\`${index ? ` USE INDEX (${index})` : ''}
     WHERE workspace_id = ? ORDER BY \`${by}\` ${order}, id ${order} LIMIT ?`,
    [...(total ? [] : [workspaceId]), workspaceId, limit],
  )
  const rows = found.map((row) => entityOf(tx, entity, row))
  if (!total) return { rows, total: Number(found[0]?.['rows_in_all'] ?? 0) }
  return { rows, total: rows.length < limit ? rows.length : await total() }
}

interface FirstRows {
  readonly by: string
  readonly order: 'ASC' | 'DESC'
  readonly limit: number
  readonly index: string | undefined
  /** How many rows the workspace has. */
  readonly total: (() => Promise<number>) | undefined
}

/** The row whose columns have these values, which no two rows have. */
export async function findRow<E extends ObjectLiteral>(
  tx: EntityManager,
  entity: EntityTarget<E>,
  values: Partial<E>,
): Promise<E | null> {
  const metadata = tx.dataSource.getMetadata(entity)
  const read = metadata.columns.filter(({ isSelect }) => isSelect)
  const names = read.map(({ databaseName }) => `\`${databaseName}\``).join(', ')
  const found = assignments(tx, metadata, values)
  const [row] = await tx.query<Record<string, unknown>[]>(
    `SELECT ${names} FROM \`${metadata.tableName}\` WHERE ${found.texts.join(' AND ')} LIMIT 1`,
    found.values,
  )
  return row ? entityOf(tx, entity, row) : null
}

/** How many rows a workspace has. */
export async function countRows<E extends ObjectLiteral>(
  tx: EntityManager,
  entity: EntityTarget<E>,
  workspaceId: string,
): Promise<number> {
  const { tableName } = tx.dataSource.getMetadata(entity)
  const [row] = await tx.query<{ total: string }[]>(
    `SELECT COUNT(*) AS total FROM \`${tableName}\` WHERE workspace_id = ?`,
    [workspaceId],
  )
  return Number(row?.total)
}

/** A row as the database gave it, as the entity has it: those of its columns that were asked for. */
export function entityOf<E extends ObjectLiteral>(
  tx: EntityManager,
  entity: EntityTarget<E>,
  raw: Readonly<Record<string, unknown>>,
): E {
  const row: Record<string, unknown> = {}
  for (const { databaseName, propertyName, read } of readersOf(tx, tx.dataSource.getMetadata(entity))) {
    const value = raw[databaseName]
    if (value !== undefined) row[propertyName] = read(value)
  }
  return row as E
}

interface ColumnReader {
  readonly databaseName: string
  readonly propertyName: string
  /** The value as the entity has it. */
  readonly read: (value: unknown) => unknown
}

const readers = new WeakMap<EntityMetadata, readonly ColumnReader[]>()

/** Types whose values TypeORM leaves as the driver gave them, but for the column's transformer. */
const unchangedTypes: ReadonlySet<unknown> = new Set([
  ...['char', 'varchar', 'text', 'mediumtext', 'tinyint', 'smallint', 'int', 'bigint', 'decimal', 'double'],
])

/** Made once for each entity: a page of a list has thousands of values. */
function readersOf({ dataSource }: EntityManager, metadata: EntityMetadata): readonly ColumnReader[] {
  const known = readers.get(metadata)
  if (known) return known
  const made = metadata.columns
    .filter(({ isSelect }) => isSelect)
    .map((column) => {
      const { databaseName, propertyName, type, transformer } = column
      const prepared = (value: unknown): unknown => dataSource.driver.prepareHydratedValue(value, column)
      if (!unchangedTypes.has(type) || Array.isArray(transformer))
        return { databaseName, propertyName, read: prepared }
      const read = transformer
        ? (value: unknown): unknown => transformer.from(value)
        : (value: unknown): unknown => value
      return { databaseName, propertyName, read }
    })
  readers.set(metadata, made)
  return made
}

type Column = EntityMetadata['columns'][number]

function kept(tx: EntityManager, column: Column, value: unknown): unknown {
  return tx.dataSource.driver.preparePersistentValue(value, column) as unknown
}

function assignments<E extends ObjectLiteral>(
  tx: EntityManager,
  metadata: EntityMetadata,
  values: Partial<E>,
) {
  const columns = metadata.columns.filter(({ propertyName }) => values[propertyName] !== undefined)
  return {
    texts: columns.map(({ databaseName }) => `\`${databaseName}\` = ?`),
    values: columns.map((column) => kept(tx, column, values[column.propertyName])),
  }
}

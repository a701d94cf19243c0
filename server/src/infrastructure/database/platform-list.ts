/** Pages of tables that belong to no workspace: the operator's lists. */
import type { FindOptionsWhere, ObjectLiteral, Repository } from 'typeorm'
import { anywhere } from './search.js'

interface ListOptions {
  page: number
  limit: number
  sort_field: string
  sort_order: 'asc' | 'desc'
  search?: string
}

/**
 * One page, and how many rows match in all. Sorting by a column that is not unique is settled by the id.
 * @param searched columns that `search` is looked for in, anywhere in their text
 * @param only what the rows are narrowed to
 */
export async function listPlatformRows<E extends ObjectLiteral & { id: string }>(
  table: Repository<E>,
  request: ListOptions,
  searched: readonly (keyof E & string)[],
  only: FindOptionsWhere<E> = {},
): Promise<{ rows: E[]; total: number }> {
  const query = table.createQueryBuilder('row')
  query.where(only)
  if (request.search) query.andWhere(...anywhere(searched, request.search))
  const order = request.sort_order === 'asc' ? 'ASC' : 'DESC'
  query.orderBy(`row.${request.sort_field}`, order).addOrderBy('row.id', order)
  query.offset((request.page - 1) * request.limit).limit(request.limit)
  const [rows, total] = await query.getManyAndCount()
  return { rows, total }
}

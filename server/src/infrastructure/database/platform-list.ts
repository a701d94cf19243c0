/** Pages of tables that belong to no workspace: the operator's lists. */
import type { FindOptionsWhere, ObjectLiteral, Repository } from 'typeorm'
import { directionOf, pageOfRows } from './paged.js'
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
  if (request.search && searched.length > 0) query.andWhere(...anywhere(searched, request.search))
  return pageOfRows(
    request,
    async ({ limit, offset, isBackward }) => {
      const direction = directionOf(request.sort_order, { isBackward })
      const read = query
        .clone()
        .orderBy(`row.${request.sort_field}`, direction)
        .addOrderBy('row.id', direction)
      return read.offset(offset).limit(limit).getMany()
    },
    async () => {
      // TypeORM's own count is of distinct ids.
      const count = await query.clone().select('COUNT(*)', 'total').getRawOne<{ total: string }>()
      return Number(count?.total)
    },
  )
}

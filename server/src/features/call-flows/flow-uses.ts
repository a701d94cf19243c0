/** Where flows are used: the numbers whose calls they take. */
import { In } from 'typeorm'
import type { Database } from '../../infrastructure/database/database.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import { PhoneNumber } from '../phone-numbers/phone-number.entity.js'

export type UsingNumber = Pick<PhoneNumber, 'id' | 'number' | 'title'>

/** The numbers of each of these flows, oldest first; a workspace has at most a hundred. */
export async function numbersOfFlows(
  database: Database,
  workspace: Owner,
  flowIds: readonly string[],
): Promise<ReadonlyMap<string, readonly UsingNumber[]>> {
  const byFlow = new Map<string, UsingNumber[]>()
  if (flowIds.length === 0) return byFlow
  const rows = await database.platformTable(PhoneNumber).find({
    select: { id: true, number: true, title: true, call_flow_id: true },
    where: { workspace_id: workspace.id, call_flow_id: In([...flowIds]) },
    order: { created_at: 'ASC', id: 'ASC' },
  })
  for (const { call_flow_id, id, number, title } of rows) {
    const flow = call_flow_id ?? ''
    byFlow.set(flow, [...(byFlow.get(flow) ?? []), { id, number, title }])
  }
  return byFlow
}

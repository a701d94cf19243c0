/** The teams that numbers are shared with: `shared_teams_id` of the contract, kept as rows with foreign keys. */
import type { EntityManager } from 'typeorm'
import { recordChange } from '../../infrastructure/database/audit.js'
import type { Database } from '../../infrastructure/database/database.js'
import { rowsChanged } from '../../infrastructure/database/row-changes.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import { type InUse, namedUsers } from '../../infrastructure/resources/in-use.js'
import type { KeptValues } from '../../lib/kept-values.js'
import type { PhoneNumber } from './phone-number.entity.js'
import { PhoneNumberTeam } from './phone-number-team.entity.js'

/** A number as it is answered: empty `shared_teams_id` means that all agents may use it. */
export type SharedNumber = PhoneNumber & { shared_teams_id: string[] }

export class NumberTeams {
  constructor(
    private readonly database: Database,
    inUse: InUse,
    private readonly kept: Pick<KeptValues, 'get'>,
  ) {
    inUse.register('team', async (workspace, team_id) => this.namesOf(workspace, team_id))
  }

  /** Adds their teams to numbers of one workspace, in the same order, by one query. */
  async join(workspace: Owner, numbers: readonly PhoneNumber[], tx?: EntityManager): Promise<SharedNumber[]> {
    if (numbers.length === 0) return []
    if (!tx && !(await this.hasShared(workspace)))
      return numbers.map((number) => ({ ...number, shared_teams_id: [] }))
    const shared: Pick<PhoneNumberTeam, 'phone_number_id' | 'team_id'>[] = await (
      tx ?? this.database.source
    ).query(
      `SELECT phone_number_id, team_id FROM phone_number_teams
       WHERE workspace_id = ? AND phone_number_id IN (?) ORDER BY position`,
      [workspace.id, numbers.map(({ id }) => id)],
    )
    const byId = new Map(numbers.map((number) => [number.id, { ...number, shared_teams_id: [] as string[] }]))
    for (const { phone_number_id, team_id } of shared)
      byId.get(phone_number_id)?.shared_teams_id.push(team_id)
    return [...byId.values()]
  }

  /** Shares a number, which the transaction has locked, with these teams in place of those before. */
  async replace(tx: EntityManager, number: SharedNumber, ids: readonly string[]): Promise<void> {
    const { id, workspace_id, title, shared_teams_id: before } = number
    if (JSON.stringify(before) === JSON.stringify(ids)) return
    await tx.delete(PhoneNumberTeam, { workspace_id, phone_number_id: id })
    const rows = ids.map((team_id, position) => ({ workspace_id, phone_number_id: id, team_id, position }))
    if (rows.length > 0) await tx.insert(PhoneNumberTeam, rows)
    rowsChanged(tx, 'phone_numbers', workspace_id)
    await recordChange(tx, {
      workspace_id,
      action: 'phone_number.update',
      target: { type: 'phone_number', id, name: title },
      changes: { shared_teams_id: { from: before, to: [...ids] } },
    })
  }

  /** Whether any number of the workspace is shared with a team: most share none. */
  private async hasShared({ id }: Owner): Promise<boolean> {
    return this.kept.get(id, 'has shared numbers', async () => {
      const found = await this.database.source.query<unknown[]>(
        'SELECT 1 FROM phone_number_teams WHERE workspace_id = ? LIMIT 1',
        [id],
      )
      return found.length > 0
    })
  }

  private async namesOf(workspace: Owner, team_id: string): Promise<string[]> {
    const numbers = await this.database
      .platformTable(PhoneNumberTeam)
      .createQueryBuilder('shared')
      .innerJoin('phone_numbers', 'number', 'number.id = shared.phone_number_id')
      .select('number.number', 'number')
      .where({ workspace_id: workspace.id, team_id })
      .orderBy('number.id')
      .limit(namedUsers + 1)
      .getRawMany<{ number: string }>()
    return numbers.map(({ number }) => `number ${number}`)
  }
}

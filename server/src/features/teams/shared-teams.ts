/** `shared_teams_id`: the teams that a number or an address book is shared with. */
import type { Database } from '../../infrastructure/database/database.js'
import { idsAmong } from '../../infrastructure/database/ids-among.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import { ValidationError } from '../../infrastructure/http/errors.js'

/** @throws 400 naming each id that is no team of the workspace */
export async function checkTeams(
  database: Database,
  workspace: Owner,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  const known = await idsAmong(database, 'teams', workspace, ids)
  const problems = ids.flatMap((id, index) => {
    const field = `shared_teams_id.${index}`
    return known.has(id) ? [] : [{ field, messages: [`${field} is not a team of this workspace`] }]
  })
  if (problems.length > 0) throw new ValidationError(problems)
}

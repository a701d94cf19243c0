import type { JackfieldClient } from '@jackfield/sdk'
import { BaseCommand, examplesOf, workspaceFlag } from '../../lib/base-command.js'
import { call } from '../../lib/endpoints.js'
import { table } from '../../lib/table.js'

/** Workspaces that are asked for at a time: the API's largest page. */
const limit = 100

export default class CreditCheck extends BaseCommand {
  static override summary =
    'Check that credit adds up: ledger, calls, messages, and reservations of live calls'
  static override description =
    'Without --workspace it checks all workspaces, one after another. The exit code is 1 if something does not add up.'
  static override examples = examplesOf(['credit check', 'credit check --workspace acme --json'])
  static override flags = workspaceFlag

  async run() {
    const { flags } = await this.parse(CreditCheck)
    const api = await this.operatorApi(flags.profile)
    const ids = flags.workspace === undefined ? await workspacesOf(api) : [flags.workspace]
    const checked = []
    for (const id of ids) {
      const found = await call(api, 'get', '/workspaces/{id}/credit/check', { path: { id } })
      checked.push(found)
      for (const { problems } of [found]) if (problems.length > 0) process.exitCode = 1
    }
    const problems = checked.flatMap((one) =>
      one.problems.map((row) => ({ ...row, workspace: one.workspace_id })),
    )
    if (problems.length > 0) {
      this.log(
        table(problems, {
          workspace: ({ workspace }) => workspace,
          kind: ({ kind }) => kind,
          id: ({ id }) => id,
          expected: ({ expected }) => expected,
          found: ({ found }) => found,
        }),
      )
    } else
      this.log(
        `The money of ${checked.length === 1 ? String(ids[0]) : `${checked.length} workspaces`} adds up.`,
      )
    return checked
  }
}

async function workspacesOf(api: JackfieldClient): Promise<string[]> {
  const ids: string[] = []
  for (let page = 1; ; page++) {
    const query = { page, limit, sort_field: 'id', sort_order: 'asc' } as const
    const { data, meta } = await call(api, 'get', '/workspaces', { query })
    ids.push(...data.map(({ id }) => id))
    if (page >= meta.total_pages) return ids
  }
}

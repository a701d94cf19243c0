import { Flags } from '@oclif/core'
import { BaseCommand, examplesOf, workspaceFlag } from '../lib/base-command.js'
import { csvLine } from '../lib/csv.js'
import { call } from '../lib/endpoints.js'
import { table } from '../lib/table.js'

const columns = [
  ...(['period', 'direction', 'calls', 'seconds', 'cost'] as const),
  ...(['messages', 'segments', 'message_cost'] as const),
]

export default class Usage extends BaseCommand {
  static override summary = 'Show a workspace’s calls and messages, by day or month'
  static override examples = examplesOf([
    'usage --workspace acme',
    'usage --workspace acme --from 2026-01-01 --to 2026-12-31 --group-by month --csv',
  ])
  static override flags = {
    ...workspaceFlag,
    from: Flags.string({ description: 'first day in UTC [30 days ago]', helpValue: '<YYYY-MM-DD>' }),
    to: Flags.string({ description: 'last day in UTC [today]', helpValue: '<YYYY-MM-DD>' }),
    'group-by': Flags.option({ options: ['day', 'month'] as const, description: 'length of a period' })(),
    csv: Flags.boolean({ description: 'print CSV' }),
  }

  protected override flagByField = { group_by: 'group-by' }

  async run() {
    const { flags } = await this.parse(Usage)
    const { from, to, 'group-by': group_by } = flags
    const query = { ...(from && { from }), ...(to && { to }), ...(group_by && { group_by }) }
    const usage = await call(await this.workspaceApi(flags), 'get', '/usage', { query })
    if (flags.csv && !this.jsonEnabled()) {
      const lines = usage.data.map((row) => csvLine(columns.map((name) => row[name])))
      process.stdout.write([csvLine(columns), ...lines].join(''))
    } else {
      const rows = [...usage.data, { period: 'total', direction: '', ...usage.total }]
      this.log(table(rows, Object.fromEntries(columns.map((name) => [name, (row) => row[name]]))))
    }
    return usage
  }
}

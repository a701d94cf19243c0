import { Flags } from '@oclif/core'
import { BaseCommand, examplesOf, workspaceFlag } from '../../lib/base-command.js'
import { download } from '../../lib/download.js'

export default class UsageExport extends BaseCommand {
  static override summary = 'Download rated usage: what was charged by day, kind and prefix'
  static override description = 'Without --workspace the operator gets all workspaces.'
  static override examples = examplesOf([
    'usage export --from 2026-01-01 --to 2026-01-31 --output january.csv',
    'usage export --workspace acme --format jsonl --output acme.jsonl',
  ])
  static override flags = {
    ...workspaceFlag,
    from: Flags.string({ description: 'first day in UTC [30 days ago]', helpValue: '<YYYY-MM-DD>' }),
    to: Flags.string({ description: 'last day in UTC [today]', helpValue: '<YYYY-MM-DD>' }),
    format: Flags.option({ options: ['csv', 'jsonl'] as const, description: 'format [csv]' })(),
    output: Flags.string({
      description: 'file to write; without it, the standard output',
      helpValue: '<file>',
    }),
  }

  async run() {
    const { flags } = await this.parse(UsageExport)
    const { from, to, format, workspace } = flags
    const query = { ...(from && { from }), ...(to && { to }), ...(format && { format }) }
    const options = { params: { query }, parseAs: 'stream' as const }
    const { data, error, response } =
      workspace === undefined
        ? await (await this.operatorApi(flags.profile)).GET('/operator/usage/export', options)
        : await (await this.workspaceApi(flags)).GET('/usage/export', options)
    return download({ data, error, response }, flags.output)
  }
}

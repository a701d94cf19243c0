import { Args, Flags } from '@oclif/core'
import { BaseCommand, examplesOf, workspaceFlag } from '../../lib/base-command.js'
import { call } from '../../lib/endpoints.js'

const path = '/workspaces/{workspace_id}/phone-numbers/{id}/originators'

export default class NumberOriginators extends BaseCommand {
  static override summary = 'Show or set the names and short codes that a customer’s number sends texts as'
  static override description =
    'Those of --originator replace all that it had. They go out over carriers with the setting takes_originators.'
  static override examples = examplesOf([
    'number originators pn_01 --workspace acme',
    'number originators pn_01 --workspace acme --originator ACME --originator 72345',
    'number originators pn_01 --workspace acme --originator none',
  ])
  static override args = { id: Args.string({ description: 'its id', required: true }) }
  static override flags = {
    ...workspaceFlag,
    originator: Flags.string({
      description: 'a name of up to 11 characters, or a short code; none removes all',
      multiple: true,
      multipleNonGreedy: true,
    }),
  }

  protected override flagByField = { originators: 'originator' }

  async run() {
    const { args, flags } = await this.parse(NumberOriginators)
    const api = await this.operatorApi(flags.profile)
    const of = { workspace_id: await this.workspaceId(flags), id: args.id }
    const originators = flags.originator?.join() === 'none' ? [] : flags.originator
    const assigned = originators
      ? await call(api, 'put', path, { path: of, body: { originators } })
      : await call(api, 'get', path, { path: of })
    this.log(assigned.originators.join('\n') || 'The number sends texts only as itself.')
    return assigned
  }
}

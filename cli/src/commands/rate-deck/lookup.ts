import { Args, Flags } from '@oclif/core'
import { BaseCommand, examplesOf, workspaceFlag } from '../../lib/base-command.js'
import { call } from '../../lib/endpoints.js'

const kinds = ['outbound_call', 'inbound_call', 'message'] as const

export default class RateDeckLookup extends BaseCommand {
  static override summary = 'Show which rate applies to a number'
  static override examples = examplesOf([
    'rate-deck lookup +447911123456 --workspace acme',
    'rate-deck lookup +12025550199 --workspace acme --kind inbound_call',
  ])
  static override args = { number: Args.string({ description: 'number in E.164', required: true }) }
  static override flags = {
    ...workspaceFlag,
    kind: Flags.option({ options: kinds, description: 'what the rate is for [outbound_call]' })(),
  }

  async run() {
    const { args, flags } = await this.parse(RateDeckLookup)
    const api = await this.operatorApi(flags.profile)
    const path = { id: await this.workspaceId(flags), number: args.number }
    const query = flags.kind ? { kind: flags.kind } : {}
    const found = await call(api, 'get', '/workspaces/{id}/rates/{number}', { path, query })
    if (found.rate) this.printFields(found.rate)
    else this.log('No deck has a rate for this number: the fee of the workspace’s own number applies.')
    return found
  }
}

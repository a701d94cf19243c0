import { Args } from '@oclif/core'
import { BaseCommand, examplesOf, workspaceFlag } from '../../lib/base-command.js'
import { call } from '../../lib/endpoints.js'
import { assignedCarriers, carriersOfNumber } from '../../resources/carrier.js'

export default class NumberCarriers extends BaseCommand {
  static override summary = 'Show the SMS carriers of a number, in the order of failover'
  static override examples = examplesOf(['number carriers pn_01 --workspace acme'])
  static override args = { id: Args.string({ description: 'its id', required: true }) }
  static override flags = { ...workspaceFlag }

  async run() {
    const { args, flags } = await this.parse(NumberCarriers)
    const api = await this.operatorApi(flags.profile)
    const path = { workspace_id: await this.workspaceId(flags), id: args.id }
    const assigned = await call(api, 'get', carriersOfNumber, { path })
    this.log(assignedCarriers(assigned))
    return assigned
  }
}

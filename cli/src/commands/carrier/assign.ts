import { Args, Flags } from '@oclif/core'
import { BaseCommand, examplesOf, workspaceFlag } from '../../lib/base-command.js'
import { call } from '../../lib/endpoints.js'
import { assignedCarriers, carriersOfNumber } from '../../resources/carrier.js'

export default class CarrierAssign extends BaseCommand {
  static override summary = 'Assign SMS carriers to a customer’s number'
  static override description =
    'They replace those that it had. A number sends and takes messages while it has carriers.'
  static override examples = examplesOf([
    'carrier assign pn_01 --workspace acme --carrier car_01 --carrier car_02',
    'carrier assign pn_01 --workspace acme --carrier none',
  ])
  static override args = { number: Args.string({ description: 'id of the number', required: true }) }
  static override flags = {
    ...workspaceFlag,
    carrier: Flags.string({
      description: 'carrier, in the order of failover; none removes all',
      helpValue: '<car_…>',
      multiple: true,
      multipleNonGreedy: true,
      required: true,
    }),
  }

  protected override flagByField = { carrier_ids: 'carrier' }

  async run() {
    const { args, flags } = await this.parse(CarrierAssign)
    const api = await this.operatorApi(flags.profile)
    const path = { workspace_id: await this.workspaceId(flags), id: args.number }
    const carrier_ids = flags.carrier.join() === 'none' ? [] : flags.carrier
    const assigned = await call(api, 'put', carriersOfNumber, { path, body: { carrier_ids } })
    this.log(assignedCarriers(assigned))
    return assigned
  }
}

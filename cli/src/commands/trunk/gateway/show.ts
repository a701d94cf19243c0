import { dataOf } from '@jackfield/sdk'
import { Args } from '@oclif/core'
import { BaseCommand, workspaceFlag } from '../../../lib/base-command.js'
import { readable } from '../../../lib/gateway-uris.js'

export default class TrunkGatewayShow extends BaseCommand {
  static override summary = 'Show an outbound gateway'
  static override examples = ['<%= config.bin %> trunk gateway show gw_01 --workspace acme']
  static override args = { id: Args.string({ description: 'its id', required: true }) }
  static override flags = { ...workspaceFlag }

  async run() {
    const { args, flags } = await this.parse(TrunkGatewayShow)
    const api = await this.workspaceApi(flags)
    const found = await dataOf(api.GET('/sip-trunks/gateways/{id}', { params: { path: { id: args.id } } }))
    this.printFields(readable(found))
    return found
  }
}

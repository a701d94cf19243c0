import { dataOf } from '@jackfield/sdk'
import { BaseCommand, listFlags, searchFlag, workspaceFlag } from '../../../lib/base-command.js'
import { addressOf } from '../../../lib/gateway-uris.js'

export default class TrunkGatewayList extends BaseCommand {
  static override summary = 'List outbound gateways'
  static override examples = ['<%= config.bin %> trunk gateway list --workspace acme']
  static override flags = { ...workspaceFlag, ...listFlags, ...searchFlag }

  async run() {
    const { flags } = await this.parse(TrunkGatewayList)
    const api = await this.workspaceApi(flags)
    const { page, limit, search } = flags
    const query = { page, limit, ...(search && { search }) }
    const list = await dataOf(api.GET('/sip-trunks/gateways', { params: { query } }))
    this.printList(list, {
      id: ({ id }) => id,
      title: ({ title }) => title,
      'caller id': ({ outbound_caller_id }) => outbound_caller_id,
      addresses: ({ outbound_uris }) => outbound_uris.map(addressOf),
    })
    return list
  }
}

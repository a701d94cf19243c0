import { dataOf } from '@jackfield/sdk'
import { BaseCommand, listFlags, searchFlag, workspaceFlag } from '../../../lib/base-command.js'

export default class TrunkAclList extends BaseCommand {
  static override summary = 'List inbound ACLs'
  static override examples = ['<%= config.bin %> trunk acl list --workspace acme']
  static override flags = { ...workspaceFlag, ...listFlags, ...searchFlag }

  async run() {
    const { flags } = await this.parse(TrunkAclList)
    const api = await this.workspaceApi(flags)
    const { page, limit, search } = flags
    const query = { page, limit, ...(search && { search }) }
    const list = await dataOf(api.GET('/sip-trunks/acls', { params: { query } }))
    this.printList(list, {
      id: ({ id }) => id,
      title: ({ title }) => title,
      mode: ({ mode }) => mode,
      allowed: ({ allowed_ips }) => allowed_ips,
    })
    return list
  }
}

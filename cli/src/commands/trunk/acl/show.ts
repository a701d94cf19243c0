import { dataOf } from '@jackfield/sdk'
import { Args } from '@oclif/core'
import { BaseCommand, workspaceFlag } from '../../../lib/base-command.js'

export default class TrunkAclShow extends BaseCommand {
  static override summary = 'Show an inbound ACL'
  static override examples = ['<%= config.bin %> trunk acl show acl_01 --workspace acme']
  static override args = { id: Args.string({ description: 'its id', required: true }) }
  static override flags = { ...workspaceFlag }

  async run() {
    const { args, flags } = await this.parse(TrunkAclShow)
    const api = await this.workspaceApi(flags)
    const found = await dataOf(api.GET('/sip-trunks/acls/{id}', { params: { path: { id: args.id } } }))
    this.printFields(found)
    return found
  }
}

import { dataOf } from '@jackfield/sdk'
import { Args, Flags } from '@oclif/core'
import { BaseCommand, workspaceFlag } from '../../../lib/base-command.js'
import { commaSeparated, requireChange } from '../../../lib/texts.js'

export default class TrunkAclSet extends BaseCommand {
  static override summary = 'Change an inbound ACL'
  static override examples = ['<%= config.bin %> trunk acl set acl_01 --workspace acme --allow 192.0.2.11']
  static override args = { id: Args.string({ description: 'id of the ACL', required: true }) }
  static override flags = {
    ...workspaceFlag,
    title: Flags.string({ description: 'name that people read' }),
    mode: Flags.option({ options: ['ip', 'domain'] as const, description: 'what --allow names' })(),
    allow: Flags.string({
      description: 'addresses, CIDR blocks or domains, comma separated',
      helpValue: '<list>',
    }),
  }

  async run() {
    const { args, flags } = await this.parse(TrunkAclSet)
    const api = await this.workspaceApi(flags)
    const body = {
      ...(flags.title !== undefined && { title: flags.title }),
      ...(flags.mode && { mode: flags.mode }),
      ...(flags.allow !== undefined && { allowed_ips: commaSeparated(flags.allow) }),
    }
    requireChange(body)
    const acl = await dataOf(api.PATCH('/sip-trunks/acls/{id}', { params: { path: { id: args.id } }, body }))
    this.printFields(acl)
    return acl
  }
}

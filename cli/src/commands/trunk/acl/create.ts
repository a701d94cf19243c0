import { dataOf } from '@jackfield/sdk'
import { Flags } from '@oclif/core'
import { ask } from '../../../lib/ask.js'
import { BaseCommand, workspaceFlag } from '../../../lib/base-command.js'
import { commaSeparated } from '../../../lib/texts.js'

export default class TrunkAclCreate extends BaseCommand {
  static override summary = 'Create an inbound ACL'
  static override examples = [
    '<%= config.bin %> trunk acl create --workspace acme --title Carrier --allow 192.0.2.10,198.51.100.0/24',
  ]
  static override flags = {
    ...workspaceFlag,
    title: Flags.string({ description: 'name that people read' }),
    mode: Flags.option({
      options: ['ip', 'domain'] as const,
      description: 'what --allow names',
      default: 'ip' as const,
    })(),
    allow: Flags.string({
      description: 'addresses, CIDR blocks or domains, comma separated',
      helpValue: '<list>',
    }),
  }

  async run() {
    const { flags } = await this.parse(TrunkAclCreate)
    const api = await this.workspaceApi(flags)
    const body = {
      title: await ask(flags.title, '--title', 'Title'),
      mode: flags.mode,
      allowed_ips: commaSeparated(
        await ask(flags.allow, '--allow', 'Addresses that may call in, comma separated'),
      ),
    }
    const acl = await dataOf(api.POST('/sip-trunks/acls', { body }))
    this.printFields(acl)
    return acl
  }
}

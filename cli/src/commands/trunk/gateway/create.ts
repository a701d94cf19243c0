import { dataOf } from '@jackfield/sdk'
import { Flags } from '@oclif/core'
import { ask } from '../../../lib/ask.js'
import { BaseCommand, workspaceFlag } from '../../../lib/base-command.js'
import { outboundUris, readable } from '../../../lib/gateway-uris.js'

export default class TrunkGatewayCreate extends BaseCommand {
  static override summary = 'Create an outbound gateway'
  static override description = 'Addresses are tried in the order in which they are given.'
  static override examples = [
    '<%= config.bin %> trunk gateway create --workspace acme --title Carrier --caller-id +12025550199 --uri sip.carrier.example --uri "192.0.2.10:5061;transport=tls"',
  ]
  static override flags = {
    ...workspaceFlag,
    title: Flags.string({ description: 'name that people read' }),
    'caller-id': Flags.string({ description: 'number shown when a call names none' }),
    uri: Flags.string({ description: 'host[:port][;transport=udp|tcp|tls]', multiple: true }),
    username: Flags.string({
      description: 'SIP user name, when the carrier asks for one',
      dependsOn: ['password'],
    }),
    password: Flags.string({ description: 'SIP password', dependsOn: ['username'] }),
  }

  async run() {
    const { flags } = await this.parse(TrunkGatewayCreate)
    const api = await this.workspaceApi(flags)
    const { username, password } = flags
    const body = {
      title: await ask(flags.title, '--title', 'Title'),
      outbound_caller_id: await ask(flags['caller-id'], '--caller-id', 'Caller id'),
      outbound_uris: outboundUris(flags.uri ?? [await ask(undefined, '--uri', 'Address of the carrier')]),
      ...(username !== undefined && password !== undefined && { credential: { username, password } }),
    }
    const gateway = await dataOf(api.POST('/sip-trunks/gateways', { body }))
    this.printFields(readable(gateway))
    return gateway
  }
}

import { dataOf } from '@jackfield/sdk'
import { Args, Flags } from '@oclif/core'
import { BaseCommand, workspaceFlag } from '../../../lib/base-command.js'
import { outboundUris, readable } from '../../../lib/gateway-uris.js'
import { requireChange } from '../../../lib/texts.js'

export default class TrunkGatewaySet extends BaseCommand {
  static override summary = 'Change an outbound gateway'
  static override examples = [
    '<%= config.bin %> trunk gateway set gw_01 --workspace acme --uri sip2.carrier.example',
  ]
  static override args = { id: Args.string({ description: 'id of the gateway', required: true }) }
  static override flags = {
    ...workspaceFlag,
    title: Flags.string({ description: 'name that people read' }),
    'caller-id': Flags.string({ description: 'number shown when a call names none' }),
    uri: Flags.string({
      description: 'host[:port][;transport=udp|tcp|tls]; replaces all addresses',
      multiple: true,
    }),
    username: Flags.string({ description: 'SIP user name', dependsOn: ['password'] }),
    password: Flags.string({ description: 'SIP password', dependsOn: ['username'] }),
  }

  async run() {
    const { args, flags } = await this.parse(TrunkGatewaySet)
    const api = await this.workspaceApi(flags)
    const { username, password } = flags
    const body = {
      ...(flags.title !== undefined && { title: flags.title }),
      ...(flags['caller-id'] !== undefined && { outbound_caller_id: flags['caller-id'] }),
      ...(flags.uri && { outbound_uris: outboundUris(flags.uri) }),
      ...(username !== undefined && password !== undefined && { credential: { username, password } }),
    }
    requireChange(body)
    const gateway = await dataOf(
      api.PATCH('/sip-trunks/gateways/{id}', { params: { path: { id: args.id } }, body }),
    )
    this.printFields(readable(gateway))
    return gateway
  }
}

import { type JackfieldClient, dataOf } from '@jackfield/sdk'
import { Flags } from '@oclif/core'
import { ask } from '../lib/ask.js'
import { BaseCommand, workspaceFlag } from '../lib/base-command.js'
import type { SmscAddress } from '../lib/appliance-file.js'
import { outboundUris } from '../lib/gateway-uris.js'
import { textOverSandbox } from '../lib/sandbox-carrier.js'

const demoCredit = 10
const nationalNumber = '2025550199'
const e164 = `1${nationalNumber}`

/** Simulated lines of the sandbox (docs/start/sandbox.md). */
const sandboxCarrier = 'carrier.sandbox'

export default class Demo extends BaseCommand {
  static override summary = 'Set up a workspace for a first call'
  static override description = `Through the same API as the other commands: ${String(demoCredit)} USD of credit, an inbound ACL, a gateway to the carrier, and the number +${e164}, connected and active; on the sandbox it sends texts too. What is there already stays.`
  static override examples = [
    '<%= config.bin %> demo --workspace acme',
    '<%= config.bin %> demo --workspace acme --carrier sip.carrier.example',
  ]
  static override flags = {
    ...workspaceFlag,
    carrier: Flags.string({
      description: 'host[:port][;transport=udp|tcp|tls]; simulated lines on the sandbox',
    }),
  }

  async run() {
    const { flags } = await this.parse(Demo)
    const workspace_id = await this.workspaceId(flags)
    const { sandbox, smsc } = await this.connection(flags.profile)
    const given = flags.carrier ?? (sandbox ? sandboxCarrier : undefined)
    const uris = outboundUris([await ask(given, '--carrier', 'SIP host of your carrier')])
    const api = await this.workspaceApi(flags)
    const operator = await this.operatorApi(flags.profile)
    const existing = await this.demoNumber(api)
    if (existing) return this.activate(operator, workspace_id, existing.id, smsc)
    const credit = { params: { path: { id: workspace_id } }, body: { amount: demoCredit, note: 'demo' } }
    await dataOf(operator.POST('/workspaces/{id}/credit', credit))
    this.logToStderr(`${String(demoCredit)} USD of credit added`)
    const acl = await dataOf(
      api.POST('/sip-trunks/acls', { body: { title: 'Demo', mode: 'ip', allowed_ips: ['127.0.0.1'] } }),
    )
    this.logToStderr(`inbound ACL ${acl.id} made`)
    const gateway = await dataOf(
      api.POST('/sip-trunks/gateways', {
        body: { title: 'Demo', outbound_caller_id: `+${e164}`, outbound_uris: uris },
      }),
    )
    this.logToStderr(`gateway ${gateway.id} to ${uris[0]?.uri ?? ''} made`)
    const connected = await dataOf(
      api.POST('/phone-numbers/connect', {
        body: {
          title: 'Demo',
          number: nationalNumber,
          country_code: 'US',
          inbound_acl_id: acl.id,
          enable_outbound: true,
          outbound_gateway_id: gateway.id,
        },
      }),
    )
    return this.activate(operator, workspace_id, connected.id, smsc)
  }

  private async activate(
    operator: JackfieldClient,
    workspace_id: string,
    id: string,
    smsc: SmscAddress | null | undefined,
  ) {
    const params = { path: { workspace_id, id } }
    if (smsc) await textOverSandbox(operator, params.path, smsc)
    const number = await dataOf(
      operator.POST('/workspaces/{workspace_id}/phone-numbers/{id}/activate', { params }),
    )
    const texts = number.capabilities.includes('sms') ? ' and send texts' : ''
    this.log(`+${number.number} is ${number.status} and may call out${texts}.`)
    return number
  }

  private async demoNumber(api: JackfieldClient) {
    const found = await dataOf(api.GET('/phone-numbers', { params: { query: { search: e164 } } }))
    return found.data.find(({ number }) => number === e164)
  }
}

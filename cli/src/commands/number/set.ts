import { dataOf } from '@jackfield/sdk'
import { Args, Errors, Flags } from '@oclif/core'
import { usageExitCode } from '../../lib/ask.js'
import { BaseCommand, workspaceFlag } from '../../lib/base-command.js'
import { commaSeparated } from '../../lib/texts.js'

const statuses = ['pending', 'active', 'inactive'] as const
const operatorHelp = { helpGroup: 'OPERATOR' }

export default class NumberSet extends BaseCommand {
  static override summary = 'Change a phone number'
  static override description = 'Status, capabilities and fees are the operator’s to set.'
  static override examples = [
    '<%= config.bin %> number set pn_01 --workspace acme --title Sales',
    '<%= config.bin %> number set pn_01 --workspace acme --capabilities voice,sms --status active',
  ]
  static override args = { id: Args.string({ description: 'id of the number', required: true }) }
  static override flags = {
    ...workspaceFlag,
    title: Flags.string({ description: 'name that people read' }),
    acl: Flags.string({ description: 'inbound ACL that guards it', helpValue: '<acl_…>' }),
    gateway: Flags.string({ description: 'outbound gateway that it calls out with', helpValue: '<gw_…>' }),
    outbound: Flags.boolean({ description: 'whether it may call out', allowNo: true }),
    'record-outbound': Flags.boolean({
      description: 'whether its outbound calls are recorded',
      allowNo: true,
    }),
    status: Flags.option({ options: statuses, description: 'whether calls may use it', ...operatorHelp })(),
    capabilities: Flags.string({ description: 'voice, sms; comma separated', ...operatorHelp }),
    'fee-per-minute': Flags.string({ description: 'USD a minute of calls', ...operatorHelp }),
    'fee-per-month': Flags.string({ description: 'USD a month', ...operatorHelp }),
  }

  async run() {
    const { args, flags } = await this.parse(NumberSet)
    const workspace_id = await this.workspaceId(flags)
    const own = {
      ...(flags.title && { title: flags.title }),
      ...(flags.acl && { inbound_acl_id: flags.acl }),
      ...(flags.gateway && { outbound_gateway_id: flags.gateway }),
      ...(flags.outbound !== undefined && { enable_outbound: flags.outbound }),
      ...(flags['record-outbound'] !== undefined && { record_outbound: flags['record-outbound'] }),
    }
    const operators = {
      ...(flags.status && { status: flags.status }),
      ...(flags.capabilities !== undefined && {
        capabilities: commaSeparated(flags.capabilities) as ('voice' | 'sms')[],
      }),
      ...fee('fee_per_mins_call', '--fee-per-minute', flags['fee-per-minute']),
      ...fee('fee_per_month', '--fee-per-month', flags['fee-per-month']),
    }
    let number
    if (Object.keys(own).length > 0 || Object.keys(operators).length === 0) {
      const api = await this.workspaceApi(flags)
      number = await dataOf(
        api.PATCH('/phone-numbers/{id}', { params: { path: { id: args.id } }, body: own }),
      )
    }
    if (Object.keys(operators).length > 0) {
      const api = await this.operatorApi(flags.profile)
      const params = { path: { workspace_id, id: args.id } }
      const call = api.PATCH('/workspaces/{workspace_id}/phone-numbers/{id}', { params, body: operators })
      number = await dataOf(call)
    }
    if (number) this.printFields(number)
    return number
  }
}

function fee(field: 'fee_per_mins_call' | 'fee_per_month', flag: string, text: string | undefined) {
  if (text === undefined) return {}
  const value = Number(text)
  if (Number.isNaN(value)) throw new Errors.CLIError(`${flag} must be a number`, { exit: usageExitCode })
  return { [field]: value }
}

import { dataOf } from '@jackfield/sdk'
import { Args, Flags } from '@oclif/core'
import { BaseCommand, workspaceFlag } from '../../lib/base-command.js'
import { amountOf, commaSeparated, requireChange } from '../../lib/texts.js'

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
      ...(flags.title !== undefined && { title: flags.title }),
      ...(flags.acl !== undefined && { inbound_acl_id: flags.acl }),
      ...(flags.gateway !== undefined && { outbound_gateway_id: flags.gateway }),
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
    requireChange({ ...own, ...operators })
    // Before anything is changed: without the operator’s token, half of it would be.
    const operator = Object.keys(operators).length > 0 ? await this.operatorApi(flags.profile) : null
    let number
    if (Object.keys(own).length > 0) {
      const api = await this.workspaceApi(flags)
      number = await dataOf(
        api.PATCH('/phone-numbers/{id}', { params: { path: { id: args.id } }, body: own }),
      )
    }
    if (operator) {
      const params = { path: { workspace_id, id: args.id } }
      const call = operator.PATCH('/workspaces/{workspace_id}/phone-numbers/{id}', {
        params,
        body: operators,
      })
      number = await dataOf(call)
    }
    if (number) this.printFields(number)
    return number
  }
}

function fee(field: 'fee_per_mins_call' | 'fee_per_month', flag: string, text: string | undefined) {
  if (text === undefined) return {}
  return { [field]: amountOf(flag, text) }
}

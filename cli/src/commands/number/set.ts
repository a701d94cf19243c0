import { Args } from '@oclif/core'
import { BaseCommand, examplesOf, workspaceFlag } from '../../lib/base-command.js'
import { call } from '../../lib/endpoints.js'
import { bodyOf, flagsOfFields } from '../../lib/fields.js'
import { requireChange } from '../../lib/texts.js'
import { numberFields, operatorNumberFields } from '../../resources/number.js'

export default class NumberSet extends BaseCommand {
  static override summary = 'Change a phone number'
  static override description = 'Only the operator may set status, capabilities and fees.'
  static override examples = examplesOf([
    'number set pn_01 --workspace acme --title Sales',
    'number set pn_01 --workspace acme --status active --fee-per-segment 0.012',
  ])
  static override args = { id: Args.string({ description: 'its id', required: true }) }
  static override flags = {
    ...workspaceFlag,
    ...flagsOfFields(numberFields),
    ...flagsOfFields(operatorNumberFields),
  }

  async run() {
    const { args, flags } = await this.parse(NumberSet)
    const workspace_id = await this.workspaceId(flags)
    const own = await bodyOf(numberFields, flags, false)
    const operators = await bodyOf(operatorNumberFields, flags, false)
    requireChange({ ...own, ...operators })
    // Check first: without the operator’s token only half of the changes would be made.
    const operator = Object.keys(operators).length > 0 ? await this.operatorApi(flags.profile) : null
    let number
    if (Object.keys(own).length > 0) {
      const api = await this.workspaceApi(flags)
      number = await call(api, 'patch', '/phone-numbers/{id}', { path: { id: args.id }, body: own })
    }
    if (operator) {
      const path = { workspace_id, id: args.id }
      const route = '/workspaces/{workspace_id}/phone-numbers/{id}'
      number = await call(operator, 'patch', route, { path, body: operators })
    }
    if (number) this.printFields(number)
    return number
  }
}

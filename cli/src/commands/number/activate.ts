import { dataOf } from '@jackfield/sdk'
import { Args } from '@oclif/core'
import { BaseCommand, workspaceFlag } from '../../lib/base-command.js'

export default class NumberActivate extends BaseCommand {
  static override summary = 'Activate a customer’s number'
  static override examples = ['<%= config.bin %> number activate pn_01 --workspace acme']
  static override args = { id: Args.string({ description: 'id of the number', required: true }) }
  static override flags = { ...workspaceFlag }

  async run() {
    const { args, flags } = await this.parse(NumberActivate)
    const api = await this.operatorApi(flags.profile)
    const path = { workspace_id: await this.workspaceId(flags), id: args.id }
    const call = api.POST('/workspaces/{workspace_id}/phone-numbers/{id}/activate', { params: { path } })
    const number = await dataOf(call)
    this.log(`+${number.number} is ${number.status}.`)
    return number
  }
}

import { dataOf } from '@jackfield/sdk'
import { Args } from '@oclif/core'
import { BaseCommand, workspaceFlag } from '../../lib/base-command.js'

export default class CallHangup extends BaseCommand {
  static override summary = 'Hang up a call, or stop calling'
  static override examples = ['<%= config.bin %> call hangup call_01 --workspace acme']
  static override args = { id: Args.string({ description: 'id of the call', required: true }) }
  static override flags = { ...workspaceFlag }

  async run() {
    const { args, flags } = await this.parse(CallHangup)
    const api = await this.workspaceApi(flags)
    const call = await dataOf(api.POST('/calls/{id}/hangup', { params: { path: { id: args.id } } }))
    this.log(`${call.call_id} is hung up.`)
    return call
  }
}

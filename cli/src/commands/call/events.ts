import { dataOf } from '@jackfield/sdk'
import { Args, Flags } from '@oclif/core'
import { BaseCommand, workspaceFlag } from '../../lib/base-command.js'
import { followCall, lineOf } from '../../lib/follow-call.js'

export default class CallEvents extends BaseCommand {
  static override summary = 'Read a call’s timeline'
  static override examples = [
    '<%= config.bin %> call events call_01 --workspace acme',
    '<%= config.bin %> call events call_01 --workspace acme --follow',
  ]
  static override args = { id: Args.string({ description: 'id of the call', required: true }) }
  static override flags = {
    ...workspaceFlag,
    follow: Flags.boolean({ description: 'show new events until the call ends' }),
  }

  async run() {
    const { args, flags } = await this.parse(CallEvents)
    const api = await this.workspaceApi(flags)
    if (flags.follow) await followCall(api, args.id, (line) => this.log(line))
    const params = { path: { id: args.id }, query: { limit: 100 } }
    const list = await dataOf(api.GET('/calls/{id}/events', { params }))
    if (!flags.follow) for (const event of list.data) this.log(lineOf(event))
    return list
  }
}

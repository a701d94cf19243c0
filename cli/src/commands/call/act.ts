import { dataOf } from '@jackfield/sdk'
import { Args, Flags } from '@oclif/core'
import { ask } from '../../lib/ask.js'
import { BaseCommand, workspaceFlag } from '../../lib/base-command.js'
import { actionsOf } from '../../lib/call-actions.js'

export default class CallAct extends BaseCommand {
  static override summary = 'Replace the actions of a live call, or add to them'
  static override examples = [
    `<%= config.bin %> call act call_01 --workspace acme --actions '[{"action":"tts","params":{"text":"Goodbye."}}]'`,
  ]
  static override args = { id: Args.string({ description: 'id of the call', required: true }) }
  static override flags = {
    ...workspaceFlag,
    actions: Flags.string({ description: 'actions as JSON' }),
    push: Flags.boolean({ description: 'run them after the call’s remaining actions' }),
  }

  async run() {
    const { args, flags } = await this.parse(CallAct)
    const api = await this.workspaceApi(flags)
    const actions = actionsOf(await ask(flags.actions, '--actions', 'Actions as JSON'))
    const params = { path: { id: args.id } }
    const body = { actions, ...(flags.push && { mode: 'push' as const }) }
    const updated = await dataOf(api.PUT('/calls/{id}/actions', { params, body }))
    const { call_id, action_count } = updated.data
    this.log(
      `${call_id} runs ${String(action_count)} ${flags.push ? 'more' : 'other'} ${action_count === 1 ? 'action' : 'actions'}.`,
    )
    return updated
  }
}

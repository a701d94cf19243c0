import { dataOf } from '@jackfield/sdk'
import { Args, Flags } from '@oclif/core'
import { ask } from '../../lib/ask.js'
import { BaseCommand, workspaceFlag } from '../../lib/base-command.js'
import { actionsOf } from '../../lib/call-actions.js'

export default class CallAct extends BaseCommand {
  static override summary = 'Replace the actions of a live call'
  static override examples = [
    `<%= config.bin %> call act call_01 --workspace acme --actions '[{"action":"tts","params":{"text":"Goodbye."}}]'`,
  ]
  static override args = { id: Args.string({ description: 'id of the call', required: true }) }
  static override flags = { ...workspaceFlag, actions: Flags.string({ description: 'actions as JSON' }) }

  async run() {
    const { args, flags } = await this.parse(CallAct)
    const api = await this.workspaceApi(flags)
    const actions = actionsOf(await ask(flags.actions, '--actions', 'Actions as JSON'))
    const params = { path: { id: args.id } }
    const updated = await dataOf(api.PUT('/calls/{id}/actions', { params, body: { actions } }))
    this.log(`${updated.data.call_id} runs ${String(updated.data.action_count)} other actions.`)
    return updated
  }
}

import { dataOf } from '@jackfield/sdk'
import { Args, Flags } from '@oclif/core'
import { confirm } from '../../lib/ask.js'
import { BaseCommand } from '../../lib/base-command.js'

export default class WorkspaceDelete extends BaseCommand {
  static override summary = 'Delete a workspace and all that belongs to it'
  static override examples = ['<%= config.bin %> workspace delete acme --yes']
  static override args = { id: Args.string({ description: 'id of the workspace', required: true }) }
  static override flags = { yes: Flags.boolean({ description: 'do not ask' }) }

  async run() {
    const { args, flags } = await this.parse(WorkspaceDelete)
    const api = await this.operatorApi(flags.profile)
    await confirm(flags.yes, '--yes', `Delete the workspace ${args.id} with its numbers, calls and credit?`)
    const workspace = await dataOf(api.DELETE('/workspaces/{id}', { params: { path: { id: args.id } } }))
    this.logToStderr(`The workspace ${workspace.id} is deleted.`)
    return workspace
  }
}

import { dataOf } from '@jackfield/sdk'
import { Args } from '@oclif/core'
import { BaseCommand } from '../../lib/base-command.js'

export default class WorkspaceShow extends BaseCommand {
  static override summary = 'Show a workspace'
  static override examples = ['<%= config.bin %> workspace show acme']
  static override args = { id: Args.string({ description: 'id of the workspace', required: true }) }

  async run() {
    const { args, flags } = await this.parse(WorkspaceShow)
    const api = await this.operatorApi(flags.profile)
    const workspace = await dataOf(api.GET('/workspaces/{id}', { params: { path: { id: args.id } } }))
    this.printFields(workspace)
    return workspace
  }
}

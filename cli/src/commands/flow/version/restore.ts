import { dataOf } from '@jackfield/sdk'
import { Args } from '@oclif/core'
import { BaseCommand, workspaceFlag } from '../../../lib/base-command.js'

export default class FlowVersionRestore extends BaseCommand {
  static override summary = 'Restore a version of a call flow'
  static override description =
    'That makes a new version, unless they are its nodes already. What the version names must still be there.'
  static override examples = ['<%= config.bin %> flow version restore cf_01 3 --workspace acme']
  static override args = {
    id: Args.string({ description: 'id of the call flow', required: true }),
    version: Args.integer({ description: 'number of the version', min: 1, required: true }),
  }
  static override flags = workspaceFlag

  async run() {
    const { args, flags } = await this.parse(FlowVersionRestore)
    const api = await this.workspaceApi(flags)
    const { id, version } = args
    const { nodes } = await dataOf(
      api.GET('/call-flows/{id}/versions/{version}', { params: { path: { id, version } } }),
    )
    const flow = await dataOf(api.PATCH('/call-flows/{id}', { params: { path: { id } }, body: { nodes } }))
    this.logToStderr(`${id} has the nodes of version ${String(version)} again.`)
    this.printFields(flow)
    return flow
  }
}

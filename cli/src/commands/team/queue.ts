import { dataOf } from '@jackfield/sdk'
import { Args } from '@oclif/core'
import { BaseCommand, workspaceFlag } from '../../lib/base-command.js'
import { table } from '../../lib/table.js'

export default class TeamQueue extends BaseCommand {
  static override summary = 'List the callers in a team’s queue'
  static override examples = ['<%= config.bin %> team queue te_01 --workspace acme']
  static override args = { id: Args.string({ description: 'id of the team', required: true }) }
  static override flags = { ...workspaceFlag }

  async run() {
    const { args, flags } = await this.parse(TeamQueue)
    const api = await this.workspaceApi(flags)
    const queue = await dataOf(api.GET('/teams/{id}/queue', { params: { path: { id: args.id } } }))
    if (queue.data.length === 0) this.log('No callers are waiting.')
    else {
      const rows = table(queue.data, {
        position: ({ position }) => position,
        call: ({ call_id }) => call_id,
        number: ({ caller }) => caller.number,
        name: ({ caller }) => caller.name,
        'waiting, s': ({ waiting }) => waiting,
      })
      this.log(rows)
    }
    return queue
  }
}

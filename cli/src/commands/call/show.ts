import { dataOf } from '@jackfield/sdk'
import { Args } from '@oclif/core'
import { BaseCommand, workspaceFlag } from '../../lib/base-command.js'
import { table } from '../../lib/table.js'

export default class CallShow extends BaseCommand {
  static override summary = 'Show a call, its legs and the agents that it rang'
  static override examples = ['<%= config.bin %> call show call_01 --workspace acme']
  static override args = { id: Args.string({ description: 'id of the call', required: true }) }
  static override flags = { ...workspaceFlag }

  async run() {
    const { args, flags } = await this.parse(CallShow)
    const api = await this.workspaceApi(flags)
    const call = await dataOf(api.GET('/calls/{id}', { params: { path: { id: args.id } } }))
    const { legs, offers, ...record } = call
    this.printFields(record)
    if (legs.length > 0) {
      const rows = table(legs, {
        leg: ({ role }) => role,
        number: ({ number }) => number,
        name: ({ name }) => name,
        address: ({ uri }) => uri,
        answered: ({ answered_at }) => answered_at,
        'hang-up cause': ({ hangup_cause }) => hangup_cause,
        sip: ({ sip_code }) => sip_code,
      })
      this.log(`\n${rows}`)
    }
    if (offers.length > 0) {
      const rows = table(offers, {
        'rung agent': ({ agent }) => agent?.username ?? null,
        team: ({ team }) => team?.title ?? null,
        began: ({ began_at }) => began_at,
        ended: ({ ended_at }) => ended_at,
        result: ({ result }) => result,
      })
      this.log(`\n${rows}`)
    }
    return call
  }
}

import { dataOf } from '@jackfield/sdk'
import { BaseCommand, listFlags, searchFlag, workspaceFlag } from '../../lib/base-command.js'

export default class CallList extends BaseCommand {
  static override summary = 'List calls'
  static override examples = ['<%= config.bin %> call list --workspace acme --search 2025550100']
  static override flags = { ...workspaceFlag, ...listFlags, ...searchFlag }

  async run() {
    const { flags } = await this.parse(CallList)
    const api = await this.workspaceApi(flags)
    const { page, limit, search } = flags
    const list = await dataOf(
      api.GET('/calls', { params: { query: { page, limit, ...(search && { search }) } } }),
    )
    this.printList(list, {
      id: ({ call_id }) => call_id,
      from: ({ from }) => from,
      to: ({ to }) => to,
      status: ({ status }) => status,
      seconds: ({ duration }) => duration,
      cost: ({ cost }) => cost,
      created: ({ created_at }) => created_at,
    })
    return list
  }
}

import { dataOf } from '@jackfield/sdk'
import { BaseCommand, listFlags, searchFlag } from '../../lib/base-command.js'

export default class WorkspaceList extends BaseCommand {
  static override summary = 'List workspaces'
  static override examples = [
    '<%= config.bin %> workspace list',
    '<%= config.bin %> workspace list --search acme --json',
  ]
  static override flags = { ...listFlags, ...searchFlag }

  async run() {
    const { flags } = await this.parse(WorkspaceList)
    const api = await this.operatorApi(flags.profile)
    const { page, limit, search } = flags
    const list = await dataOf(
      api.GET('/workspaces', { params: { query: { page, limit, ...(search && { search }) } } }),
    )
    this.printList(list, {
      id: ({ id }) => id,
      title: ({ title }) => title,
      country: ({ country_code }) => country_code,
      credit: ({ credit_balance }) => credit_balance,
      created: ({ created_at }) => created_at,
    })
    return list
  }
}

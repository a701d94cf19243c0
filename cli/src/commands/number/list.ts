import { dataOf } from '@jackfield/sdk'
import { BaseCommand, listFlags, searchFlag, workspaceFlag } from '../../lib/base-command.js'

export default class NumberList extends BaseCommand {
  static override summary = 'List phone numbers'
  static override examples = ['<%= config.bin %> number list --workspace acme']
  static override flags = { ...workspaceFlag, ...listFlags, ...searchFlag }

  async run() {
    const { flags } = await this.parse(NumberList)
    const api = await this.workspaceApi(flags)
    const { page, limit, search } = flags
    const query = { page, limit, ...(search && { search }) }
    const list = await dataOf(api.GET('/phone-numbers', { params: { query } }))
    this.printList(list, {
      id: ({ id }) => id,
      number: ({ number }) => `+${number}`,
      title: ({ title }) => title,
      status: ({ status }) => status,
      capabilities: ({ capabilities }) => capabilities,
      outbound: ({ enable_outbound }) => (enable_outbound ? 'yes' : 'no'),
    })
    return list
  }
}

import { dataOf } from '@jackfield/sdk'
import { BaseCommand, listFlags, workspaceFlag } from '../../lib/base-command.js'

export default class ApiKeyList extends BaseCommand {
  static override summary = 'List API keys'
  static override examples = ['<%= config.bin %> api-key list --workspace acme']
  static override flags = { ...workspaceFlag, ...listFlags }

  async run() {
    const { flags } = await this.parse(ApiKeyList)
    const api = await this.workspaceApi(flags)
    const { page, limit } = flags
    const list = await dataOf(api.GET('/api-keys', { params: { query: { page, limit } } }))
    this.printList(list, {
      sid: ({ sid }) => sid,
      title: ({ title }) => title,
      scope: ({ scope }) => scope,
      role: ({ role }) => role,
      'last used': ({ last_used_at }) => last_used_at,
    })
    return list
  }
}

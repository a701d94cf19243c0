import { dataOf } from '@jackfield/sdk'
import { BaseCommand, listFlags, searchFlag, workspaceFlag } from '../../lib/base-command.js'

export default class AudioList extends BaseCommand {
  static override summary = 'List audios'
  static override examples = ['<%= config.bin %> audio list --workspace acme']
  static override flags = { ...workspaceFlag, ...listFlags, ...searchFlag }

  async run() {
    const { flags } = await this.parse(AudioList)
    const api = await this.workspaceApi(flags)
    const { page, limit, search } = flags
    const list = await dataOf(
      api.GET('/audios', { params: { query: { page, limit, ...(search && { search }) } } }),
    )
    this.printList(list, {
      id: ({ id }) => id,
      title: ({ title }) => title,
      source: ({ source }) => source,
      seconds: ({ duration }) => duration,
      created: ({ created_at }) => created_at,
    })
    return list
  }
}

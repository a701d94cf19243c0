import { dataOf } from '@jackfield/sdk'
import { Args } from '@oclif/core'
import { BaseCommand, workspaceFlag } from '../../lib/base-command.js'

export default class NumberShow extends BaseCommand {
  static override summary = 'Show a phone number'
  static override examples = ['<%= config.bin %> number show pn_01 --workspace acme']
  static override args = { id: Args.string({ description: 'its id', required: true }) }
  static override flags = { ...workspaceFlag }

  async run() {
    const { args, flags } = await this.parse(NumberShow)
    const api = await this.workspaceApi(flags)
    const found = await dataOf(api.GET('/phone-numbers/{id}', { params: { path: { id: args.id } } }))
    this.printFields(found)
    return found
  }
}

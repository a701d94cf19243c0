import { dataOf } from '@jackfield/sdk'
import { Args, Flags } from '@oclif/core'
import { confirm } from '../../lib/ask.js'
import { BaseCommand, workspaceFlag } from '../../lib/base-command.js'

export default class NumberDelete extends BaseCommand {
  static override summary = 'Delete a phone number'
  static override examples = ['<%= config.bin %> number delete pn_01 --workspace acme --yes']
  static override args = { id: Args.string({ description: 'its id', required: true }) }
  static override flags = { ...workspaceFlag, yes: Flags.boolean({ description: 'do not ask' }) }

  async run() {
    const { args, flags } = await this.parse(NumberDelete)
    const api = await this.workspaceApi(flags)
    await confirm(flags.yes, '--yes', `Delete ${args.id}?`)
    const deleted = await dataOf(api.DELETE('/phone-numbers/{id}', { params: { path: { id: args.id } } }))
    this.logToStderr(`${deleted.id} is deleted.`)
    return deleted
  }
}

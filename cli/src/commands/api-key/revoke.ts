import { dataOf } from '@jackfield/sdk'
import { Args, Flags } from '@oclif/core'
import { confirm } from '../../lib/ask.js'
import { BaseCommand, workspaceFlag } from '../../lib/base-command.js'

export default class ApiKeyRevoke extends BaseCommand {
  static override summary = 'Revoke an API key'
  static override examples = ['<%= config.bin %> api-key revoke sid-0123 --workspace acme --yes']
  static override args = { sid: Args.string({ description: 'sid of the key', required: true }) }
  static override flags = { ...workspaceFlag, yes: Flags.boolean({ description: 'do not ask' }) }

  async run() {
    const { args, flags } = await this.parse(ApiKeyRevoke)
    const api = await this.workspaceApi(flags)
    await confirm(flags.yes, '--yes', `Revoke ${args.sid}?`)
    const key = await dataOf(api.DELETE('/api-keys/{sid}', { params: { path: { sid: args.sid } } }))
    this.logToStderr(`The key ${key.sid} is revoked.`)
    return key
  }
}

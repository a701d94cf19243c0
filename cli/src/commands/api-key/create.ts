import { dataOf } from '@jackfield/sdk'
import { Flags } from '@oclif/core'
import { choose } from '../../lib/ask.js'
import { BaseCommand, workspaceFlag } from '../../lib/base-command.js'

const scopes = ['any', 'full'] as const
const roles = ['owner', 'editor', 'viewer'] as const

export default class ApiKeyCreate extends BaseCommand {
  static override summary = 'Create an API key'
  static override description = 'The key is shown this once.'
  static override examples = ['<%= config.bin %> api-key create --workspace acme --scope full --role owner']
  static override flags = {
    ...workspaceFlag,
    scope: Flags.option({ options: scopes, description: 'any reads, full also writes' })(),
    role: Flags.option({ options: roles, description: 'what the key’s holder is' })(),
    title: Flags.string({ description: 'name that people read' }),
  }

  async run() {
    const { flags } = await this.parse(ApiKeyCreate)
    const api = await this.workspaceApi(flags)
    const body = {
      scope: await choose(flags.scope, '--scope', 'Scope', scopes),
      role: await choose(flags.role, '--role', 'Role', roles),
      ...(flags.title && { title: flags.title }),
    }
    const key = await dataOf(api.POST('/api-keys', { body }))
    this.printFields(key)
    return key
  }
}

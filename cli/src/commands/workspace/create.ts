import { dataOf } from '@jackfield/sdk'
import { Args, Flags } from '@oclif/core'
import { ask } from '../../lib/ask.js'
import { BaseCommand } from '../../lib/base-command.js'

export default class WorkspaceCreate extends BaseCommand {
  static override summary = 'Create a workspace'
  static override description = 'The id becomes the first label of the workspace’s host name.'
  static override examples = ['<%= config.bin %> workspace create acme --title "Acme Inc." --country US']
  static override args = { id: Args.string({ description: 'lowercase letters, digits and hyphens' }) }
  static override flags = {
    title: Flags.string({ description: 'name that people read' }),
    country: Flags.string({ description: 'two-letter country code', helpValue: '<US>' }),
  }

  async run() {
    const { args, flags } = await this.parse(WorkspaceCreate)
    const api = await this.operatorApi(flags.profile)
    const body = {
      id: await ask(args.id, '<id>', 'Id of the workspace'),
      title: await ask(flags.title, '--title', 'Title'),
      country_code: await ask(flags.country, '--country', 'Country code'),
    }
    const workspace = await dataOf(api.POST('/workspaces', { body }))
    this.printFields(workspace)
    return workspace
  }
}

import { Args } from '@oclif/core'
import { BaseCommand, examplesOf, workspaceFlag } from '../../lib/base-command.js'
import { call } from '../../lib/endpoints.js'
import { uploadOf } from '../../lib/upload.js'

export default class AgentAvatar extends BaseCommand {
  static override summary = 'Set an agent’s picture'
  static override examples = examplesOf(['agent avatar ag_01 anna.jpg --workspace acme'])
  static override args = {
    id: Args.string({ description: 'its id', required: true }),
    file: Args.string({ description: 'JPEG, PNG, WebP or GIF of 5 MB at most', required: true }),
  }
  static override flags = { ...workspaceFlag }

  async run() {
    const { args, flags } = await this.parse(AgentAvatar)
    const form = await uploadOf(args.file)
    const api = await this.workspaceApi(flags)
    const agent = await call(api, 'patch', '/agents/{id}/avatar', {
      path: { id: args.id },
      body: form,
    })
    this.printFields(agent)
    return agent
  }
}

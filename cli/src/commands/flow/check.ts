import { dataOf } from '@jackfield/sdk'
import { Flags } from '@oclif/core'
import { BaseCommand, workspaceFlag } from '../../lib/base-command.js'
import { contentOf, parsed } from '../../lib/file-fields.js'
import { flowOf, withNodeNames } from '../../resources/flow.js'

export default class FlowCheck extends BaseCommand {
  static override summary = 'Check a call flow in a JSON file; nothing is saved'
  static override description = 'Reports every problem with its node; the exit code is 1 if there are any.'
  static override examples = ['<%= config.bin %> flow check --workspace acme --file welcome.json']
  static override flags = {
    ...workspaceFlag,
    file: Flags.string({
      description: 'the flow, as `flow show --json` prints it, or its nodes only; - for stdin',
      helpValue: '<file.json>',
      required: true,
    }),
  }

  async run() {
    const { flags } = await this.parse(FlowCheck)
    const api = await this.workspaceApi(flags)
    const flow = flowOf({ nodes: parsed(await contentOf(flags.file), `--file ${flags.file}`) })
    const body = { nodes: ('nodes' in flow ? flow.nodes : []) as never }
    const answer = await dataOf(api.POST('/call-flows/check', { body }))
    if (answer.valid) this.log('No problems.')
    for (const { messages } of answer.problems) {
      for (const message of messages) this.log(withNodeNames(message, flow))
    }
    if (!answer.valid) process.exitCode = 1
    return answer
  }
}

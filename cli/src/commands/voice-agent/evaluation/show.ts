import { dataOf } from '@jackfield/sdk'
import { Args } from '@oclif/core'
import { BaseCommand, workspaceFlag } from '../../../lib/base-command.js'
import { reportOf } from '../../../lib/evaluation-report.js'

export default class VoiceAgentEvaluationShow extends BaseCommand {
  static override summary = 'Show the results of an evaluation'
  static override examples = ['<%= config.bin %> voice-agent evaluation show va_01 eva_01 --workspace acme']
  static override args = {
    id: Args.string({ description: 'id of the voice agent', required: true }),
    evaluationId: Args.string({ description: 'id of the evaluation', required: true }),
  }
  static override flags = { ...workspaceFlag }

  async run() {
    const { args, flags } = await this.parse(VoiceAgentEvaluationShow)
    const api = await this.workspaceApi(flags)
    const path = '/voice-agents/{id}/evaluations/{evaluationId}'
    const evaluation = await dataOf(api.GET(path, { params: { path: args } }))
    this.log(reportOf(evaluation))
    return evaluation
  }
}

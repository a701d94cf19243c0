import { setTimeout as sleep } from 'node:timers/promises'
import { type components, dataOf } from '@jackfield/sdk'
import { Args, Flags } from '@oclif/core'
import { BaseCommand, workspaceFlag } from '../../lib/base-command.js'
import { reportOf } from '../../lib/evaluation-report.js'
import { contentOf, parsed } from '../../lib/file-fields.js'
import { commaSeparated } from '../../lib/texts.js'
import { scriptIn } from '../../resources/voice-agent-script.js'

type ScriptInput = components['schemas']['EvaluationScriptInput']
type Evaluation = components['schemas']['EvaluationDetail']

/** 40 a minute: within the limit of 100 of a key, with room for its other requests. */
const everyMs = 1_500

/** 50 scripts of five minutes, three at once. */
const deadlineMs = 5_400_000

export default class VoiceAgentEval extends BaseCommand {
  static override summary = 'Run evaluation scripts against a version of a voice agent'
  static override description =
    'Plays the scripts that the voice agent keeps, unless others are named. Exits with 1 when a rule does not hold: so a version can be tried before it is published.'
  static override examples = [
    '<%= config.bin %> voice-agent eval va_01 --workspace acme --version 2',
    '<%= config.bin %> voice-agent eval va_01 --workspace acme --version 2 --script opening-hours.json',
    '<%= config.bin %> voice-agent eval va_01 --workspace acme --version 2 --kept evs_01,evs_02',
  ]
  static override args = { id: Args.string({ description: 'id of the voice agent', required: true }) }
  static override flags = {
    ...workspaceFlag,
    version: Flags.integer({ description: 'version to evaluate', min: 1, required: true }),
    script: Flags.string({
      description: 'file with a script or an array of them, as JSON, not stored; - for stdin',
      helpValue: '<file.json>',
      multiple: true,
      multipleNonGreedy: true,
    }),
    kept: Flags.string({ description: 'stored scripts, comma separated', helpValue: '<evs_…,evs_…>' }),
  }

  async run() {
    const { args, flags } = await this.parse(VoiceAgentEval)
    const api = await this.workspaceApi(flags)
    const scripts = await scriptsIn(flags.script ?? [])
    const body = {
      version: flags.version,
      ...(scripts.length > 0 && { scripts }),
      ...(flags.kept !== undefined && { script_ids: commaSeparated(flags.kept) }),
    }
    const params = { path: { id: args.id } }
    const started = await dataOf(api.POST('/voice-agents/{id}/evaluations', { params, body }))
    this.logToStderr(
      `${started.id} plays ${String(started.total)} scripts to version ${String(started.version)}.`,
    )
    const evaluation = await this.ended(async () =>
      dataOf(
        api.GET('/voice-agents/{id}/evaluations/{evaluationId}', {
          params: { path: { id: args.id, evaluationId: started.id } },
        }),
      ),
    )
    this.log(reportOf(evaluation))
    if (evaluation.status !== 'completed' || evaluation.passed < evaluation.total) process.exitCode = 1
    return evaluation
  }

  private async ended(ask: () => Promise<Evaluation>): Promise<Evaluation> {
    const until = Date.now() + deadlineMs
    for (;;) {
      const evaluation = await ask()
      if (evaluation.status !== 'running' || Date.now() > until) return evaluation
      await sleep(everyMs)
    }
  }
}

async function scriptsIn(files: readonly string[]): Promise<ScriptInput[]> {
  const contents = await Promise.all(
    files.map(async (file) => parsed(await contentOf(file), `--script ${file}`)),
  )
  // The API checks their content.
  return contents.flat().map((content) => scriptIn(Object(content) as object)) as ScriptInput[]
}

/** What voice agents are tried with: written callers, and their evaluations. */
import type { Logger } from 'pino'
import { EvaluationRunner } from '../../features/voice-agents/evaluations/evaluation-runner.js'
import { EvaluationScripts } from '../../features/voice-agents/evaluations/evaluation-scripts.service.js'
import { EvaluationService } from '../../features/voice-agents/evaluations/evaluations.service.js'
import type { Core } from './core.js'
import type { Resources } from './resources.js'

export function wireEvaluations(
  log: Logger,
  { database }: Core,
  { versions, tools, speechProviders, speechTools }: Resources,
) {
  const scripts = new EvaluationScripts(database)
  const runner = new EvaluationRunner({ database, log, providers: speechProviders, tools: speechTools })
  const evaluations = new EvaluationService({ database, versions, tools, scripts, runner })
  return { scripts, runner, evaluations }
}

export type Evaluations = ReturnType<typeof wireEvaluations>

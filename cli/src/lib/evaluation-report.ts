/** Report of a voice agent's evaluation: its scripts, and each failed rule. */
import type { components } from '@jackfield/sdk'
import { table, textOf } from './table.js'

type Evaluation = components['schemas']['EvaluationDetail']
type Result = Evaluation['results'][number]

export function reportOf(evaluation: Evaluation): string {
  const { results, passed, total, version, status, error } = evaluation
  const rows = table(results, {
    script: ({ script_name }) => script_name,
    result: ({ passed: holds }) => (holds ? 'passed' : 'failed'),
    rules: ({ verdicts }) => `${verdicts.filter((verdict) => verdict.passed).length}/${verdicts.length}`,
    seconds: ({ duration_ms }) => (duration_ms / 1_000).toFixed(1),
  })
  const failures = results.filter((result) => !result.passed).map(failureOf)
  const head = `Version ${version}: ${passed} of ${total} scripts passed${status === 'running' ? ' so far' : ''}.`
  const why = error === null ? [] : [`The scripts could not all be played: ${textOf(error)}`]
  return [...(results.length > 0 ? [rows] : []), ...failures, [head, ...why].join('\n')].join('\n\n')
}

/** A failed script: the transcript around each failed rule. */
function failureOf({ script_name, problem, verdicts, transcript }: Result): string {
  const failed = verdicts.filter(({ passed }) => !passed)
  return [
    `${textOf(script_name)}:`,
    ...(problem === null ? [] : [`  ${textOf(problem)}`]),
    ...failed.flatMap(({ turn, rule, seen }) => {
      // The greeting comes before the first turn.
      const exchange = turn === null ? undefined : transcript[turn]
      return [
        `  ${turn === null ? 'whole call' : `turn ${turn}`}: ${textOf(rule)}`,
        ...(exchange ? [`    caller       ${textOf(exchange.caller)}`] : []),
        ...(exchange ? [`    voice agent  ${textOf(exchange.voice_agent)}`] : []),
        `    seen         ${textOf(seen)}`,
      ]
    }),
  ].join('\n')
}

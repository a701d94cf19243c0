/** Evaluations and their scripts as the API shows them. */
import type { EvaluationResult } from './evaluation-result.entity.js'
import type { EvaluationScript } from './evaluation-script.entity.js'
import type { PlayedScript } from './evaluation.entity.js'
import type { EvaluationSummary } from './evaluations.service.js'

export function presentScript(script: EvaluationScript) {
  return {
    ...script,
    created_at: script.created_at.toISOString(),
    updated_at: script.updated_at.toISOString(),
  }
}

/** A version's last evaluation. */
function presentLast({ id, status, total, passed, is_stale, created_at }: EvaluationSummary) {
  return { id, status, total, passed, is_stale, created_at: created_at.toISOString() }
}

/** What a version's answer says of it; nothing without one. */
export function lastEvaluation(last: EvaluationSummary | undefined) {
  return last ? { last_evaluation: presentLast(last) } : {}
}

export function presentEvaluation(evaluation: EvaluationSummary) {
  return {
    ...presentLast(evaluation),
    voice_agent_id: evaluation.voice_agent_id,
    workspace_id: evaluation.workspace_id,
    version: evaluation.version,
    error: evaluation.error,
    ended_at: evaluation.ended_at?.toISOString() ?? null,
  }
}

export function presentEvaluationDetail({
  evaluation,
  scripts,
  results,
}: {
  evaluation: EvaluationSummary
  scripts: readonly PlayedScript[]
  results: readonly EvaluationResult[]
}) {
  return {
    ...presentEvaluation(evaluation),
    results: results.map((result) => ({
      script_id: scripts[result.position]?.id ?? null,
      script_name: scripts[result.position]?.name ?? '',
      passed: result.passed,
      problem: result.problem,
      verdicts: result.verdicts.map((verdict) => ({ ...verdict })),
      transcript: result.exchanges.map((exchange) => ({ ...exchange })),
      duration_ms: result.duration_ms,
      usage: { ...result.usage_counts },
    })),
  }
}

/** Plays the scripts of an evaluation, as many times as it takes: servers stop, and providers stumble. */
import type { Logger } from 'pino'
import { type Database, isDuplicate, isMissingReference } from '../../../infrastructure/database/database.js'
import { newId } from '../../../infrastructure/database/ids.js'
import { type Job, OutboxWorker } from '../../../infrastructure/database/outbox.js'
import { WorkspaceTable } from '../../../infrastructure/database/workspace-table.js'
import type { SpeechProviders } from '../../ai-providers/speech-providers.js'
import { spokenLanguageOf } from '../../../adapters/speech/spoken-language.js'
import { SpeechModelError, plainReason } from '../../../adapters/speech/speech-model.js'
import { usualTurns } from '../../../adapters/speech/turn-detection.js'
import type { ToolRunner } from '../tools/tool-runner.js'
import { EvaluationResult } from './evaluation-result.entity.js'
import { Evaluation, type PlayedScript } from './evaluation.entity.js'
import { judge } from './judge.js'
import { play } from './script-player.js'

export const evaluationJob = 'voice_agent_evaluation'

/** What a job says. */
export interface EvaluationPayload {
  workspace_id: string
  evaluation_id: string
}

interface Parts {
  readonly database: Database
  readonly providers: SpeechProviders
  readonly tools: Pick<ToolRunner, 'toolsOf'>
  readonly log: Logger
}

/** Evaluations that a server runs at once, and of one workspace; others wait. */
const concurrency = 4
const turns = { ofOwner: 2, share: 1 / 2 }
/** Scripts of one evaluation that are played at once. */
const playedAtOnce = 3
const leaseMs = 20_000
const retryMs = 3_000
/** Attempts at one evaluation, after crashes or when its provider is not reachable. */
const maxAttempts = 5
const maxError = 500
/** The most that an evaluation can have. */
const maxResults = 200

export class EvaluationRunner {
  private readonly worker: OutboxWorker
  private readonly stopping = new AbortController()
  private readonly evaluations: WorkspaceTable<Evaluation>
  private readonly results: WorkspaceTable<EvaluationResult>

  constructor(private readonly parts: Parts) {
    const { database, log } = parts
    this.evaluations = new WorkspaceTable(database, Evaluation)
    this.results = new WorkspaceTable(database, EvaluationResult)
    const settings = { concurrency, turns, leaseMs, renewed: true, retryMs }
    this.worker = new OutboxWorker(database, evaluationJob, async (job) => this.work(job), settings, log)
  }

  start(): void {
    this.worker.start()
  }

  /** Breaks off what is played: the next start, or another server, plays it again. */
  async stop(): Promise<void> {
    this.stopping.abort()
    await this.worker.stop()
  }

  wake(): void {
    this.worker.wake()
  }

  private async work({ payload, attempts }: Job): Promise<void> {
    const { workspace_id, evaluation_id } = payload as EvaluationPayload
    const evaluation = await this.evaluations.find({ id: workspace_id }, evaluation_id)
    if (evaluation?.status !== 'running') return
    try {
      await this.playAll(evaluation)
      await this.end(evaluation, 'completed', null)
    } catch (error) {
      if (this.stopping.signal.aborted || isMissingReference(error)) throw error
      const isLast = attempts + 1 >= maxAttempts
      const isHopeless = error instanceof SpeechModelError && error.kind === 'refused'
      if (!isLast && !isHopeless) throw error
      this.parts.log.error(
        { event: 'voice_agent.evaluation_failed', err: error, evaluation_id },
        'evaluation failed',
      )
      const reason = error instanceof SpeechModelError ? plainReason(error) : 'it could not be run'
      await this.end(evaluation, 'failed', reason.slice(0, maxError))
    }
  }

  /** Plays what has no result yet. */
  private async playAll(evaluation: Evaluation): Promise<void> {
    const done = await this.resultsOf(evaluation)
    const positions = new Set(done.map(({ position }) => position))
    const left = [...evaluation.scripts.entries()].filter(([position]) => !positions.has(position))
    const next = async (): Promise<void> => {
      for (let one = left.shift(); one; one = left.shift()) await this.playOne(evaluation, ...one)
    }
    const players = await Promise.allSettled(Array.from({ length: playedAtOnce }, next))
    const failure = players.find((player) => player.status === 'rejected')
    if (failure) throw failure.reason
  }

  private async playOne(evaluation: Evaluation, position: number, script: PlayedScript): Promise<void> {
    const { settings } = evaluation
    const workspace = { id: evaluation.workspace_id }
    const { signal } = this.stopping
    signal.throwIfAborted()
    const tools = await this.parts.tools.toolsOf(workspace, settings)
    const model = await this.parts.providers.model(workspace, {
      ...{ modelId: settings.model_id, voiceId: settings.voice_id, instructions: settings.instructions },
      ...{ temperature: settings.temperature, noiseReduction: settings.enable_noise_reduction },
      ...{
        tools,
        history: [],
        language: null,
        spokenLanguage: spokenLanguageOf(settings),
        turnDetection: usualTurns,
        textOnly: true,
      },
    })
    const played = await play(script, { model, greeting: settings.greeting_message, signal })
    signal.throwIfAborted()
    const verdicts = await judge(script, played)
    const passed = played.problem === null && verdicts.every((verdict) => verdict.passed)
    const result: EvaluationResult = {
      ...{ id: newId('evr'), workspace_id: workspace.id, evaluation_id: evaluation.id, position, passed },
      ...{ problem: played.problem, verdicts, exchanges: [...played.exchanges] },
      ...{ duration_ms: played.durationMs, usage_counts: played.usage, created_at: new Date() },
    }
    await this.results.insert(result).catch((error: unknown) => {
      // Another server, whose lease had ended, has played it too.
      if (!isDuplicate(error)) throw error
    })
    await this.evaluations.update(workspace, evaluation.id, { passed: await this.passedOf(evaluation) })
  }

  private async end(
    evaluation: Evaluation,
    status: 'completed' | 'failed',
    error: string | null,
  ): Promise<void> {
    const passed = await this.passedOf(evaluation)
    const changes = { status, error, passed, ended_at: new Date() }
    await this.evaluations.update({ id: evaluation.workspace_id }, evaluation.id, changes)
  }

  private async passedOf(evaluation: Evaluation): Promise<number> {
    return (await this.resultsOf(evaluation)).filter(({ passed }) => passed).length
  }

  private async resultsOf({ id, workspace_id }: Evaluation): Promise<EvaluationResult[]> {
    return this.results.findAll({ id: workspace_id }, { evaluation_id: id }, maxResults)
  }
}

/** Has a text model write the instructions of a voice agent. */
import type { Logger } from 'pino'
import type { Owner } from '../../../infrastructure/database/workspace-table.js'
import { UnavailableError, conflict } from '../../../infrastructure/http/errors.js'
import type { TextModelAddress, TextProviders } from '../../ai-providers/speech-providers.js'
import { SpeechModelError, plainReason } from '../../../adapters/speech/speech-model.js'
import { type Draft, brief, readDraft, written } from './draft.js'
import type { ChatMessage, TextModelClient } from './text-model.js'

/** A prompt, and the answer to it. */
export interface Turn extends Draft {
  readonly prompt: string
}

/** Deadline of both attempts together; the CLI waits 30 s. */
const deadlineMs = 25_000
/** A draft that breaks the rules is asked for once more. */
const attempts = 2
const retryAfterSeconds = 30

/** The first turn says what it is about; of the others the latest count. */
const latestTurns = 8

export class InstructionWriter {
  constructor(
    private readonly providers: TextProviders,
    private readonly client: TextModelClient,
    private readonly log: Logger,
  ) {}

  /**
   * @param turns what came before, oldest first
   * @throws 409 there is no text model, 503 it could not be asked, or wrote nothing of use
   */
  async write(workspace: Owner, turns: readonly Turn[], prompt: string): Promise<Draft> {
    const model = await this.providers.textModel(workspace).catch((error: unknown) => {
      throw error instanceof SpeechModelError ? conflict(`No text model is set up: ${error.message}`) : error
    })
    const messages = [...conversationOf(turns), { role: 'user', content: prompt } as const]
    try {
      return await this.ask(workspace, model, messages)
    } catch (error) {
      if (!(error instanceof SpeechModelError)) throw error
      this.log.warn(
        { event: 'voice_agent.text_model_failed', err: error, workspace: workspace.id },
        'a text model could not be asked',
      )
      throw new UnavailableError(
        `The text model could not be asked: ${plainReason(error)}`,
        retryAfterSeconds,
      )
    }
  }

  private async ask(
    { id: workspaceId }: Owner,
    model: TextModelAddress,
    messages: readonly ChatMessage[],
  ): Promise<Draft> {
    const until = Date.now() + deadlineMs
    const asked = [...messages]
    let problem = ''
    for (let attempt = 0; attempt < attempts; attempt++) {
      const answer = await this.client.ask(model, asked, { timeoutMs: until - Date.now(), workspaceId })
      const draft = readDraft(answer)
      if (typeof draft !== 'string') return draft
      problem = draft
      asked.push(
        { role: 'assistant', content: answer || '(nothing)' },
        { role: 'user', content: `${problem} Answer again with one JSON object as described.` },
      )
    }
    throw new UnavailableError(`The text model wrote no instructions: ${problem}`, retryAfterSeconds)
  }
}

function conversationOf(turns: readonly Turn[]): ChatMessage[] {
  const [first, ...others] = turns
  const sent = first ? [first, ...others.slice(-latestTurns)] : []
  return [
    { role: 'system', content: brief },
    ...sent.flatMap((turn): ChatMessage[] => [
      { role: 'user', content: turn.prompt },
      { role: 'assistant', content: written(turn) },
    ]),
  ]
}

/** Text models of OpenAI-compatible servers: `POST /chat/completions`, which self-hosted ones have too. */
import { RequestFailedError } from '../../../infrastructure/http-client/errors.js'
import type { GuardedClient, GuardedResponse } from '../../../infrastructure/http-client/guarded-client.js'
import type { TextModelAddress } from '../../ai-providers/speech-providers.js'
import { SpeechModelError } from '../../../adapters/speech/speech-model.js'

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string
}

const maxAnswerBytes = 262_144
/** More than instructions and a greeting can take, in any script. */
const maxTokens = 4_000

export class TextModelClient {
  /** @param client may connect to every address at which the operator's providers are */
  constructor(private readonly client: GuardedClient) {}

  /**
   * The answer of a model, as a JSON object if the model can be asked for one.
   * @param timeoutMs for everything
   * @throws {SpeechModelError}
   */
  async ask(
    model: TextModelAddress,
    messages: readonly ChatMessage[],
    { timeoutMs, workspaceId }: { timeoutMs: number; workspaceId: string },
  ): Promise<string> {
    const until = Date.now() + timeoutMs
    const body = { model: model.modelId, messages, max_tokens: maxTokens, stream: false }
    const first = await this.post(
      model,
      { ...body, response_format: { type: 'json_object' } },
      { until, workspaceId },
    )
    // Some servers do not know response_format, and newer models have another name for the limit: ask without both.
    const isRefused = first.status === 400 || first.status === 422
    const answer = isRefused
      ? await this.post(model, { model: model.modelId, messages }, { until, workspaceId })
      : first
    return contentOf(answer)
  }

  private async post(
    { baseUrl, apiKey }: TextModelAddress,
    body: object,
    { until, workspaceId }: { until: number; workspaceId: string },
  ): Promise<GuardedResponse> {
    const timeoutMs = Math.max(1, until - Date.now())
    try {
      return await this.client.request({
        ...{ method: 'POST', url: `${baseUrl}/chat/completions`, owner: workspaceId },
        headers: {
          'content-type': 'application/json',
          ...(apiKey !== null && { authorization: `Bearer ${apiKey}` }),
        },
        body: JSON.stringify(body),
        ...{ timeoutMs, maxResponseBytes: maxAnswerBytes, tooLong: 'fail' },
      })
    } catch (error) {
      if (!(error instanceof RequestFailedError)) throw error
      throw new SpeechModelError('unreachable', error.message, { cause: error })
    }
  }
}

/** Chat completion object: https://platform.openai.com/docs/api-reference/chat/object */
interface Completion {
  choices?: { message?: { content?: unknown } }[]
}

function contentOf({ status, body }: GuardedResponse): string {
  if (status !== 200) {
    const kind = status >= 400 && status < 500 && status !== 429 ? 'refused' : 'unreachable'
    throw new SpeechModelError(kind, `the text model's server answered ${status}`)
  }
  const content = completionOf(body)?.choices?.[0]?.message?.content
  if (typeof content !== 'string') {
    throw new SpeechModelError('protocol', 'the text model’s server answered with no chat completion')
  }
  return content
}

function completionOf(body: Buffer): Completion | null {
  try {
    return JSON.parse(body.toString('utf8')) as Completion | null
  } catch {
    return null
  }
}

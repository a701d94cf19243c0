/**
 * Chat: `POST /chat/completions`, streamed (https://platform.openai.com/docs/api-reference/chat-streaming), which vLLM,
 * llama.cpp and Ollama answer too.
 */
import type { ChatOutcome } from './chat-outcome.js'
import { SpeechModelError, type SpeechTool } from '../speech-model.js'
import { ChatStream } from './chat-stream.js'
import type { ChatMessage } from './conversation.js'
import { retried } from './retried.js'
import { dataOf } from './server-events.js'
import type { ServiceLink } from './service-link.js'
import type { Deadlines } from './services.js'

const maxBytes = 8_388_608

export class Chat {
  constructor(
    private readonly link: ServiceLink,
    private readonly deadlines: Deadlines,
    private readonly temperature: number,
    private readonly tools: readonly SpeechTool[],
  ) {}

  /**
   * @param mayCall whether tools may be called
   * @param onText gets the answer piece by piece
   */
  async complete(
    messages: readonly ChatMessage[],
    mayCall: boolean,
    signal: AbortSignal,
    onText: (text: string) => void,
  ): Promise<ChatOutcome> {
    let hasBegun = false
    const streamed = (text: string) => {
      hasBegun = true
      onText(text)
    }
    return retried(
      signal,
      async () => this.ask(this.body(messages, mayCall), signal, streamed),
      () => !hasBegun,
    )
  }

  private async ask(body: string, signal: AbortSignal, onText: (text: string) => void): Promise<ChatOutcome> {
    const stream = new ChatStream(onText)
    const headers = { 'content-type': 'application/json', accept: 'text/event-stream' }
    try {
      await this.link.ask(
        {
          ...{ method: 'POST', path: '/chat/completions', headers, body },
          ...{ deadlines: this.deadlines, maxBytes, signal },
        },
        async ({ type, parts }) => {
          if (type !== 'text/event-stream') {
            throw new SpeechModelError(
              'protocol',
              `the chat answered with ${type.slice(0, 60)}, not with a stream`,
            )
          }
          for await (const data of dataOf(parts)) {
            stream.take(data)
            if (stream.isFull) break
          }
        },
      )
    } catch (error) {
      // Errors after the end of the answer do not matter.
      if (signal.aborted || !stream.isDone) throw error
    }
    return stream.outcome()
  }

  private body(messages: readonly ChatMessage[], mayCall: boolean): string {
    const tools = this.tools.map(({ name, description, parameters }) => ({
      type: 'function',
      function: { name, description, parameters },
    }))
    return JSON.stringify({
      ...{ model: this.link.service.model, messages, temperature: this.temperature },
      ...{ stream: true, stream_options: { include_usage: true } },
      ...(tools.length > 0 && { tools }),
      ...(tools.length > 0 && !mayCall && { tool_choice: 'none' }),
    })
  }
}

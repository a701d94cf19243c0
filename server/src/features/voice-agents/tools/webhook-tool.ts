/** Custom tools: requests to the customer's own server. The model gets the answers. */
import { maxDepth } from '../../../infrastructure/callbacks/callback-client.js'
import { NoTurnError, Turns } from '../../../lib/turns.js'
import type { Owner } from '../../../infrastructure/database/workspace-table.js'
import { isDeeper } from '../../../infrastructure/http/json-levels.js'
import {
  RequestFailedError,
  RequestRefusedError,
  RequestTimedOutError,
} from '../../../infrastructure/http-client/errors.js'
import type {
  GuardedClient,
  GuardedRequest,
  GuardedResponse,
} from '../../../infrastructure/http-client/guarded-client.js'
import { codingOf } from '../../../infrastructure/http-client/shown-text.js'
import { signatureOf } from '../../../infrastructure/http-client/signature.js'
import { maxUrlLength } from '../../../infrastructure/http-client/urls.js'
import { topics } from '../../../infrastructure/observability/telemetry.js'
import { shownTrace, tracingContexts } from '../../../infrastructure/observability/tracing-contexts.js'
import type { VoiceAgentTool } from '../voice-agent-tool.entity.js'
import type { ToolArguments } from './tool-arguments.js'
import { shown } from './shown.js'
import { type ToolResult, failed } from './tool-result.js'
import type { ToolContext } from './tool-runner.js'

/** Deadline of everything: a turn, DNS, redirects and the whole answer. A caller waits meanwhile. */
const deadlineMs = 10_000

/** Bytes of an answer that the model gets. */
const maxAnswerBytes = 16_384

/** Tools of one workspace that run at once, so that one slow server does not block the other workspaces. */
const maxAtOnce = 40

/** What the model gets about a request that failed. It may read this out, so there is no address and no code in it. */
const sentences = {
  unreachable: 'The service could not be reached.',
  slow: 'The service took too long to answer.',
  busy: 'Too many requests to the service are under way. It was not asked.',
  status: 'The service answered with an error.',
  unreadable: 'The service answered with something that cannot be read.',
} as const

/** Characters of an error's own text that the timeline shows. */
const maxCause = 1_024

/** Longest id of a tool's call that goes into a header. */
const maxIdLength = 128

interface Options {
  client: Pick<GuardedClient, 'request'>
  secretOf(workspace: Owner): Promise<string>
  headersOf(tool: VoiceAgentTool): Record<string, string>
}

/** The call of the tool that is asked for. */
interface Asked {
  context: ToolContext
  tool: VoiceAgentTool
  values: ToolArguments
  /** The model's id of it. */
  id: string
}

type Wanted = Pick<GuardedRequest, 'url' | 'body' | 'headers'> & {
  /** The signed content. */
  signed: string
}

export class WebhookTools {
  private readonly turns = new Turns({ ofOwner: maxAtOnce })

  constructor(private readonly options: Options) {}

  /** @throws when the platform itself fails */
  async run(
    context: ToolContext,
    tool: VoiceAgentTool,
    values: ToolArguments,
    id: string,
  ): Promise<ToolResult> {
    const wanted = requestOf({ context, tool, values, id })
    if (wanted.url.length > maxUrlLength) {
      return withStatus(
        null,
        failed('invalid', `the URL with its arguments must have at most ${maxUrlLength} characters`),
      )
    }
    try {
      const response = await this.ask(context, tool, wanted)
      return withStatus(response.status, read(response))
    } catch (error) {
      const result = explained(error)
      if (!result) throw error
      return withStatus(null, result)
    }
  }

  /** @throws as the client does */
  private async ask({ call, workspace }: ToolContext, tool: VoiceAgentTool, wanted: Wanted) {
    const payload = { callId: call.id, workspaceId: workspace.id, event: 'voice_agent.tool' }
    return tracingContexts.callback.run(payload, async () => {
      try {
        const response = await this.send(workspace, tool, wanted)
        topics.callback.publish({ responseStatus: response.status, error: null })
        return response
      } catch (error) {
        topics.callback.publish({ responseStatus: null, error: 'failed' })
        throw error
      }
    })
  }

  private async send(workspace: Owner, tool: VoiceAgentTool, wanted: Wanted): Promise<GuardedResponse> {
    const until = performance.now() + deadlineMs
    const leftMs = () => Math.max(1, Math.ceil(until - performance.now()))
    const { url, body, signed } = wanted
    const headers = {
      accept: 'application/json, text/*;q=0.9',
      ...this.options.headersOf(tool),
      ...wanted.headers,
      ...shownTrace(),
      'jackfield-signature': signatureOf(signed, await this.options.secretOf(workspace), new Date()),
    }
    return this.turns.take(workspace.id, leftMs(), async () =>
      this.options.client.request({
        ...{ method: tool.webhook_method, url, headers, timeoutMs: leftMs() },
        ...{ owner: workspace.id, live: true },
        ...(body !== undefined && { body }),
        // One more, to see that there is more.
        ...{ maxResponseBytes: maxAnswerBytes + 1, tooLong: 'cut' },
      }),
    )
  }
}

/**
 * With a body, the call is in the body, which is signed. Without, it is in headers, and the path with its query is signed.
 */
function requestOf({ context, tool, values, id }: Asked): Wanted {
  const { call, voiceAgentId, settings, workspace } = context
  const headers = {
    'idempotency-key': `${call.id}-${id.replace(/[^\w-]/g, '_').slice(0, maxIdLength)}`,
    'jackfield-call-id': call.id,
    'jackfield-workspace-id': workspace.id,
    'jackfield-voice-agent-id': voiceAgentId,
    'jackfield-tool': tool.name,
  }
  if (tool.webhook_method === 'GET' || tool.webhook_method === 'DELETE') {
    const url = new URL(tool.webhook_url ?? '')
    for (const [name, value] of Object.entries(values)) url.searchParams.append(name, queryOf(value))
    return { url: url.href, headers, signed: url.pathname + url.search }
  }
  const body = JSON.stringify({
    event: 'voice_agent.tool',
    ...{ tool: tool.name, tool_call_id: id },
    ...{ call_id: call.id, workspace_id: workspace.id },
    ...{ voice_agent_id: voiceAgentId, version: settings.version },
    ...{ caller_number: call.from_number, destination_number: call.to_number },
    arguments: values,
  })
  return {
    ...{ url: tool.webhook_url ?? '', body, signed: body },
    headers: { ...headers, 'content-type': 'application/json' },
  }
}

function queryOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function withStatus(status: number | null, result: ToolResult): ToolResult {
  return { ...result, details: { status, ...result.details } }
}

function read(response: GuardedResponse): ToolResult {
  const { status, headers, body } = response
  const coding = codingOf(headers)
  if (coding)
    return failed('not_text', sentences.unreadable, `coding ${coding.slice(0, 32)}, which was not asked for`)
  const isCut = body.length > maxAnswerBytes
  const text = textOf(body.subarray(0, maxAnswerBytes), isCut)
  if (text === null) return failed('not_text', sentences.unreadable, 'no UTF-8')
  const answer = {
    answer: isCut ? text : jsonOf(text),
    ...(isCut && { note: `The answer was longer: these are its first ${maxAnswerBytes} bytes.` }),
  }
  if (status >= 200 && status <= 299) return { outcome: 'completed', output: { status, ...answer } }
  return refused(status, isCut ? text : jsonOf(text), text)
}

/** An error of the service. What it says in JSON is meant for the model; a page of HTML or a stack trace is not. */
function refused(status: number, answer: unknown, text: string): ToolResult {
  const isMeant = status < 500 && typeof answer === 'object' && answer !== null
  const output = { error: sentences.status, status, ...(isMeant && { answer }) }
  return {
    ...{ outcome: 'status', output },
    details: {
      message: sentences.status,
      ...(!isMeant && text.trim() !== '' && { cause: shown(text, maxCause) }),
    },
  }
}

/** @returns null for what is no UTF-8; a character that is cut in two is left out */
function textOf(body: Buffer, isCut: boolean): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body, { stream: isCut })
  } catch {
    return null
  }
}

function jsonOf(text: string): unknown {
  if (text.trim() === '') return null
  try {
    const value: unknown = JSON.parse(text)
    return isDeeper(value, maxDepth) ? text : value
  } catch {
    return text
  }
}

/** @returns null for what was not the customer's server */
function explained(error: unknown): ToolResult | null {
  if (!(error instanceof RequestFailedError) && !(error instanceof NoTurnError)) return null
  const { message: cause } = error
  if (error instanceof RequestTimedOutError) return failed('timeout', sentences.slow, cause)
  if (error instanceof NoTurnError) return failed('timeout', sentences.busy, cause)
  if (error instanceof RequestRefusedError) return failed('refused', sentences.unreachable, cause)
  return failed('network', sentences.unreachable, cause)
}

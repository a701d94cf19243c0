/** Runs the tools of voice agents in calls: finds them, checks their arguments, and writes to the timeline. */
import type { Logger } from 'pino'
import { eventOf } from '../../calls/model/call-events.js'
import type { CallStore } from '../../calls/model/call-store.js'
import type { Owner } from '../../../infrastructure/database/workspace-table.js'
import type { GuardedClient } from '../../../infrastructure/http-client/guarded-client.js'
import { ChannelEndedError } from '../../../adapters/freeswitch/channel-end.js'
import { SwitchDownError } from '../../../adapters/freeswitch/errors.js'
import type { SpeechTool, ToolCall } from '../../../adapters/speech/speech-model.js'
import type { VoiceAgentSettings } from '../../voice-agent-sessions/voice-agent-settings.entity.js'
import type { VoiceAgentTool } from '../voice-agent-tool.entity.js'
import type { VoiceAgentTools } from '../voice-agent-tool.service.js'
import { Collecting } from './collect-digits.js'
import { Holds } from './hold-call.js'
import { untilHeard } from './said.js'
import { shown } from './shown.js'
import type { SpeechTools } from './speech-tools.js'
import { type ToolArguments, readArguments } from './tool-arguments.js'
import { type ToolResult, failed } from './tool-result.js'
import type { ToolAnswer, ToolContext, ToolRunner } from './tool-runner.js'
import { transferCall } from './transfer-call.js'
import type { TransferTargets } from './transfer-targets.js'
import { WebhookTools } from './webhook-tool.js'

interface Options {
  tools: Pick<VoiceAgentTools, 'headersOf'>
  speechTools: SpeechTools
  store: Pick<CallStore, 'note'>
  targets: Pick<TransferTargets, 'find'>
  client: Pick<GuardedClient, 'request'>
  /** What requests to the workspace's servers are signed with. */
  secretOf(workspace: Owner): Promise<string>
  log: Logger
}

/** Characters of arguments, or of an answer, that a timeline shows. */
const excerptLength = 4_096

/** Longest name of a tool that a timeline shows: a model may call what there is not. */
const maxName = 64

export class VoiceAgentToolRunner implements ToolRunner {
  private readonly webhooks: WebhookTools
  private readonly holds = new Holds()
  private readonly collecting = new Collecting()

  constructor(private readonly options: Options) {
    const { client, tools } = options
    this.webhooks = new WebhookTools({
      client,
      secretOf: async (workspace) => options.secretOf(workspace),
      headersOf: (tool) => tools.headersOf(tool),
    })
  }

  async toolsOf(workspace: Owner, settings: VoiceAgentSettings): Promise<SpeechTool[]> {
    return this.options.speechTools.toolsOf(workspace, settings)
  }

  async run(context: ToolContext, call: ToolCall): Promise<ToolAnswer> {
    const since = performance.now()
    let tool: VoiceAgentTool | undefined
    let result: ToolResult
    try {
      const enabled = await this.options.speechTools.enabled(context.workspace, context.settings)
      tool = enabled.find(({ name }) => name === call.name)
      result = tool
        ? await this.checked(context, tool, call)
        : failed('unknown', `there is no tool ${call.name.slice(0, maxName)} that may be called now`)
    } catch (error) {
      result = this.broken(context, error)
    }
    const cause = result.details?.['cause']
    if (cause !== undefined) {
      const { id } = context.call
      this.options.log.warn(
        { event: 'voice_agent.tool_server_failed', call: id, tool: tool?.id, outcome: result.outcome, cause },
        'a tool’s server failed',
      )
    }
    this.note(context, {
      ...{ tool: shown(call.name, maxName), tool_id: tool?.id ?? null },
      arguments: shown(call.arguments, excerptLength),
      ...{ outcome: result.outcome, duration_ms: Math.round(performance.now() - since) },
      ...result.details,
      ...(tool?.tool_type === 'custom' && { answer: shown(JSON.stringify(result.output), excerptLength) }),
    })
    return { output: JSON.stringify(result.output), ...(result.ends && { ends: result.ends }) }
  }

  /** Also notes calls of a session that is over by now. */
  private note(context: ToolContext, details: object): void {
    if (!context.signal.aborted) {
      context.note('call.tool', details)
      return
    }
    const { call } = context
    const { store, log } = this.options
    store.note(eventOf(call, 'call.tool', new Date(), { details })).catch((error: unknown) => {
      log.warn(
        { event: 'voice_agent.tool_not_on_timeline', err: error, call: call.id },
        "a tool's call is not on the timeline",
      )
    })
  }

  private async checked(context: ToolContext, tool: VoiceAgentTool, call: ToolCall): Promise<ToolResult> {
    const read = readArguments(tool, call.arguments)
    if ('wrong' in read) return failed('invalid', read.wrong)
    if (tool.tool_type === 'custom') return this.webhooks.run(context, tool, read.values, call.id)
    return this.builtin(context, tool.name, read.values)
  }

  private async builtin(context: ToolContext, name: string, values: ToolArguments): Promise<ToolResult> {
    switch (name) {
      case 'transfer_call':
        return transferCall(context, values, this.options.targets)
      case 'end_call':
        await untilHeard(context)
        return { outcome: 'completed', output: { status: 'ended' }, ends: 'ended' }
      case 'hold_call':
        return this.holds.run(context, values)
      case 'collect_digits':
        return this.collecting.run(context, values)
      default:
        throw new Error(`no such built-in tool: ${name}`)
    }
  }

  private broken({ call }: ToolContext, error: unknown): ToolResult {
    if (error instanceof ChannelEndedError) return failed('left', 'the caller has hung up')
    if (!(error instanceof SwitchDownError)) {
      this.options.log.error(
        { event: 'voice_agent.tool_run_failed', err: error, call: call.id },
        'a tool of a voice agent failed',
      )
    }
    return failed('internal', 'the platform could not do it now')
  }
}

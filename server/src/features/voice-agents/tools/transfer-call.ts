/** The tool `transfer_call`: transfers the caller, or says to the model why they are still with it. */
import { ValidationError } from '../../../infrastructure/http/errors.js'
import { untilHeard } from './said.js'
import { sideOf } from './sides.js'
import type { ToolArguments } from './tool-arguments.js'
import { type ToolResult, failed } from './tool-result.js'
import type { ToolContext } from './tool-runner.js'
import type { NamedTarget, TransferTargets } from './transfer-targets.js'

/** What the model gets about a transfer that failed. */
const reasons: Readonly<Record<string, string>> = {
  busy: 'they are busy, or have declined',
  no_answer: 'no one has answered',
  offline: 'no one can be reached there now',
  failed: 'they could not be reached',
  not_allowed: 'this workspace may not call that number, or has no number to call with',
  no_credit: 'there is not enough credit to call that number',
  canceled: 'somebody has canceled it',
  left: 'one of both has hung up',
}

/** Longest reason that is shown to the target of the transfer, in characters. */
const maxReason = 255

export async function transferCall(
  context: ToolContext,
  values: ToolArguments,
  targets: Pick<TransferTargets, 'find'>,
): Promise<ToolResult> {
  const { live, workspace, voiceAgentId } = context
  const target = await find(workspace, String(values['to']), targets)
  if ('output' in target) return target
  if (target.id === voiceAgentId) return failed('invalid', 'to is this voice agent itself')
  await untilHeard(context)
  const { bridge } = live
  const side = bridge && !bridge.isOver && sideOf(bridge, voiceAgentId)
  const transfer =
    side && !context.signal.aborted
      ? await live.handOver({
          ...{ target: { kind: target.kind, id: target.id }, side, consult: false, by: voiceAgentId },
          reason: reasonOf(values),
        })
      : null
  if (!transfer) return failed('failed', 'the call cannot be transferred now: another transfer is under way')
  const outcome = await transfer.ended
  const details = { to: { kind: target.kind, id: target.id, name: target.name } }
  if (outcome === 'completed') {
    return { outcome, output: { status: 'transferred' }, ends: 'transferred', details }
  }
  const message = `the transfer has failed: ${reasons[outcome] ?? 'they could not be reached'}`
  const output = { status: outcome, error: `${message}; the caller is with you again` }
  return { outcome, output, details: { ...details, message } }
}

async function find(
  workspace: ToolContext['workspace'],
  to: string,
  targets: Pick<TransferTargets, 'find'>,
): Promise<NamedTarget | ToolResult> {
  try {
    return await targets.find(workspace, to)
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error
    return failed('invalid', error.message)
  }
}

/** In one line, as a phone shows it. */
function reasonOf({ reason }: ToolArguments): string | null {
  if (typeof reason !== 'string') return null
  const line = reason.replace(/[\p{Cc}\p{Cs}\u2028\u2029]+/gu, ' ').trim()
  return [...line].slice(0, maxReason).join('') || null
}

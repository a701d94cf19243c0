/** The tool `collect_digits`: what the caller presses on their telephone, while they talk with the voice agent. */
import { collect } from '../../calls/script/collect.js'
import type { Channel } from '../../../adapters/freeswitch/channel.js'
import { untilHeard } from './said.js'
import type { ToolArguments } from './tool-arguments.js'
import { type ToolResult, failed } from './tool-result.js'
import type { ToolContext } from './tool-runner.js'

const maxDigits = 32
const maxSeconds = 60
const defaultSeconds = 5

export class Collecting {
  private readonly channels = new WeakSet<Channel>()

  /** Keys count from the call of the tool on; the time for the first one runs from when its prompt was heard. */
  async run(context: ToolContext, values: ToolArguments): Promise<ToolResult> {
    const { max_digits = maxDigits, timeout = defaultSeconds, finish_on_key = '#' } = values
    const wrong = problem('max_digits', max_digits, maxDigits) ?? problem('timeout', timeout, maxSeconds)
    if (wrong !== null) return failed('invalid', wrong)
    const { caller } = context
    if (this.channels.has(caller)) return failed('failed', 'digits are being collected already')
    this.channels.add(caller)
    try {
      caller.keys.take()
      await this.prompted(context)
      const { digits, status } = await collect(
        caller,
        {
          ...{ timeoutMs: Number(timeout) * 1_000, maxDigits: Number(max_digits) },
          terminator: finish_on_key === '*' ? '*' : '#',
        },
        context.signal,
      )
      // The digits may be a secret of the caller: the timeline has only their number.
      return { outcome: status, output: { digits, status }, details: { digits: digits.length } }
    } finally {
      this.channels.delete(caller)
    }
  }

  /** Waits until the caller has been asked, or presses a key. */
  private async prompted(context: ToolContext): Promise<void> {
    const { caller } = context
    const pressed = new AbortController()
    const press = () => pressed.abort()
    caller.once('digit', press)
    try {
      await untilHeard(context, pressed.signal)
    } finally {
      caller.off('digit', press)
    }
  }
}

function problem(field: string, value: unknown, max: number): string | null {
  const number = Number(value)
  return number >= 1 && number <= max ? null : `${field} must be from 1 to ${max}`
}

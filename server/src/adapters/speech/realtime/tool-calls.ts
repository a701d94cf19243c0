/** Tool calls of a conversation: which are complete, and which wait for their answer. */
import type { ToolCall } from '../speech-model.js'
import type { Fields } from './fields.js'

/** Unanswered calls of one response: no model asks for more. */
const maxCalls = 64

/** The tool calls of one response. */
interface Batch {
  /** Calls without an answer. */
  left: number
  isAnswered: boolean
  isLast: boolean
  /** No further one comes. */
  isWhole: boolean
}

const newBatch = (): Batch => ({ left: 0, isAnswered: false, isLast: false, isWhole: false })

/** Whether the model is to go on: all is answered, and nothing ended with it. */
const isDone = ({ left, isAnswered, isLast, isWhole }: Batch) =>
  isWhole && isAnswered && left === 0 && !isLast

export class ToolCalls {
  /** Names by item, since older servers do not repeat them with the arguments. */
  private readonly names = new Map<string, string>()
  /** Arguments are complete; a response that is cut off sends what it has as well. */
  private readonly written = new Map<string, ToolCall>()
  private readonly reported = new Set<string>()
  /** By call: calls that came together are answered together. */
  private readonly unanswered = new Map<string, Batch>()
  private batch = newBatch()

  /** An item of a response has begun. */
  begin(item: Fields): void {
    if (item.text('type') === 'function_call' && this.names.size < maxCalls) {
      this.names.set(item.text('id'), item.text('name'))
    }
  }

  /** `response.function_call_arguments.done` */
  write(event: Fields): void {
    const name = event.text('name') || (this.names.get(event.text('item_id')) ?? '')
    const id = event.text('call_id')
    if (name && this.written.size < maxCalls) {
      this.written.set(id, { id, name, arguments: event.text('arguments') })
    }
  }

  /** An item is done. @returns the call that it is, when that is complete and new */
  complete(item: Fields): ToolCall | null {
    if (item.text('type') !== 'function_call' || item.text('status') === 'incomplete') return null
    const id = item.text('call_id')
    const call = this.written.get(id) ?? {
      id,
      name: item.text('name'),
      arguments: item.text('arguments'),
    }
    return this.report(call)
  }

  private report(call: ToolCall): ToolCall | null {
    if (!call.id || !call.name || this.reported.has(call.id) || this.unanswered.size >= maxCalls) return null
    this.reported.add(call.id)
    this.unanswered.set(call.id, this.batch)
    this.batch.left += 1
    return call
  }

  /** A response is over. @returns its calls that were not reported with their items */
  end(response: Fields): ToolCall[] {
    const isWhole = response.text('status') === 'completed'
    const left = isWhole
      ? [
          ...[...this.written.values()].map((call) => this.report(call)),
          ...response.list('output').map((item) => this.complete(item)),
        ]
      : []
    this.names.clear()
    this.written.clear()
    this.reported.clear()
    return left.filter((call) => call !== null)
  }

  /** All calls of a response are reported. @returns whether they are answered too, so that the model can continue */
  whole(): boolean {
    const { batch } = this
    batch.isWhole = true
    this.batch = newBatch()
    return isDone(batch)
  }

  /** @returns whether the model is to go on now */
  answer(callId: string, isLast: boolean): boolean {
    const batch = this.unanswered.get(callId)
    if (!batch) return false
    this.unanswered.delete(callId)
    batch.left -= 1
    batch.isAnswered = true
    batch.isLast ||= isLast
    return isDone(batch)
  }
}

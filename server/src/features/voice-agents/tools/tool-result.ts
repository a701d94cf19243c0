/** Result of one call of a tool: for the model, and for the timeline. */
import type { ToolAnswer } from './tool-runner.js'

export interface ToolResult {
  /** For the timeline: `completed`, or why not. */
  readonly outcome: string
  /** For the model. */
  readonly output: Readonly<Record<string, unknown>>
  readonly ends?: ToolAnswer['ends']
  /** Further fields for the timeline. */
  readonly details?: Readonly<Record<string, unknown>>
}

/**
 * A tool that could not do what it is for.
 * @param message says to the model what is wrong, in words that a caller may hear: field and rule, no address
 * @param cause further words for the timeline, for engineers: the network's own message
 */
export function failed(outcome: string, message: string, cause?: string): ToolResult {
  return { outcome, output: { error: message }, details: { message, ...(cause !== undefined && { cause }) } }
}

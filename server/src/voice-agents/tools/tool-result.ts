/** What comes of one call of a tool: for the model, and for the timeline. */
import type { ToolAnswer } from './tool-runner.js'

export interface ToolResult {
  /** As the timeline has it: `completed`, or why not. */
  readonly outcome: string
  /** What the model is told. */
  readonly told: Readonly<Record<string, unknown>>
  readonly ends?: ToolAnswer['ends']
  /** What else the timeline has of it. */
  readonly details?: Readonly<Record<string, unknown>>
}

/**
 * A tool that could not do what it is for.
 * @param message tells the model what is wrong, in words that a caller may hear: field and rule, no address
 * @param cause what the timeline has beside it, for engineers: the network's own words
 */
export function failed(outcome: string, message: string, cause?: string): ToolResult {
  return { outcome, told: { error: message }, details: { message, ...(cause !== undefined && { cause }) } }
}

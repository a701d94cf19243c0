/** Parses the arguments of a tool call, and checks them by the tool's schema. */
import { maxDepth } from '../../../infrastructure/callbacks/callback-client.js'
import { ValidationError } from '../../../infrastructure/http/errors.js'
import { isDeeper } from '../../../infrastructure/http/json-levels.js'
import { passingValidator } from '../../../infrastructure/http/validation.js'
import type { VoiceAgentTool } from '../voice-agent-tool.entity.js'
import { schemaOf } from './speech-tools.js'

/** Longest arguments of one call, in characters of JSON. */
export const maxArguments = 16_384

export type ToolArguments = Readonly<Record<string, unknown>>

/** @returns what is wrong, for the model, when they are not what the tool asks for */
export function readArguments(
  tool: Pick<VoiceAgentTool, 'parameters'>,
  text: string,
): { values: ToolArguments } | { wrong: string } {
  if (text.length > maxArguments)
    return { wrong: `the arguments must have at most ${maxArguments} characters` }
  const values = parsed(text)
  if (values === undefined) return { wrong: 'the arguments must be a JSON object' }
  if (isDeeper(values, maxDepth)) return { wrong: `the arguments must have at most ${maxDepth} levels` }
  try {
    passingValidator(schemaOf(tool.parameters))(values)
    return { values }
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error
    const messages = error.errors.flatMap((problem) => problem.messages)
    return { wrong: messages.join('; ').replaceAll('the body', 'the arguments') }
  }
}

/** Models write nothing at all for tools without parameters. */
function parsed(text: string): ToolArguments | undefined {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as ToolArguments)
      : undefined
  } catch {
    return undefined
  }
}

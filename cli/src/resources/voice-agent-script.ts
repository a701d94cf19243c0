import { type Field } from '../lib/fields.js'
import { jsonFile } from '../lib/file-fields.js'
import { usageError } from '../lib/usage-error.js'

/** The file that a script is written in: an object with `name`, `turns`, `expect` and `tool_answers`. */
export const scriptFields: Record<string, Field<'turns'>> = {
  file: jsonFile('turns', 'the script as JSON: name, turns, expect, tool_answers', { ask: 'File' }),
}

/** What `script show --json` tells besides. */
const told = ['id', 'voice_agent_id', 'workspace_id', 'created_at', 'updated_at']

/** A script as a file has it, without what the API has added. */
export function scriptIn(content: object): object {
  return Object.fromEntries(Object.entries(content).filter(([name]) => !told.includes(name)))
}

/** The body is what stands in the file. */
export function scriptOf({ turns: content }: Record<string, unknown>): object {
  if (typeof content === 'object' && content !== null && !Array.isArray(content)) return scriptIn(content)
  throw usageError('--file holds no script: an object with name and turns')
}

import { type Field } from '../lib/fields.js'
import { jsonFile } from '../lib/file-fields.js'
import { usageError } from '../lib/usage-error.js'

/** The format of a script's file: an object with `name`, `turns`, `expect` and `tool_answers`. */
export const scriptFields: Record<string, Field<'turns'>> = {
  file: jsonFile('turns', 'the script as JSON: name, turns, expect, tool_answers', { ask: 'File' }),
}

/** Further fields of `script show --json`. */
const added = ['id', 'voice_agent_id', 'workspace_id', 'created_at', 'updated_at']

/** A script in the format of a file, without the API's additions. */
export function scriptIn(content: object): object {
  return Object.fromEntries(Object.entries(content).filter(([name]) => !added.includes(name)))
}

/** The body is the content of the file. */
export function scriptOf({ turns: content }: Record<string, unknown>): object {
  if (typeof content === 'object' && content !== null && !Array.isArray(content)) return scriptIn(content)
  throw usageError('--file holds no script: an object with name and turns')
}

import { createHash } from 'node:crypto'
import type { VoiceAgentSettings } from '../../voice-agent-sessions/voice-agent-settings.entity.js'
import type { VoiceAgentTool } from '../voice-agent-tool.entity.js'

/**
 * A hash of all that decides how a version speaks: when it is another one, what an evaluation has found may hold no
 * longer.
 * @param tools all of the voice agent
 */
export function settingsHash(settings: VoiceAgentSettings, tools: readonly VoiceAgentTool[]): string {
  const enabled = new Set(settings.tools_id)
  const used = tools
    .filter(({ id, is_active }) => is_active && enabled.has(id))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ name, description, parameters }) => ({ name, description, parameters }))
  const said = {
    ...{ model_id: settings.model_id, voice_id: settings.voice_id, temperature: settings.temperature },
    ...{ greeting_message: settings.greeting_message, instructions: settings.instructions, used },
  }
  return createHash('sha256')
    .update(JSON.stringify(sorted(said)))
    .digest('hex')
}

/** With the fields of every object in one order: that of a JSON column is the database's. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([name, one]) => [name, sorted(one)]))
}

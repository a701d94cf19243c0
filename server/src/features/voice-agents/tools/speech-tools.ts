/** The tools of a version, in the form that models get. */
import type { Owner } from '../../../infrastructure/database/workspace-table.js'
import type { SpeechTool } from '../../../adapters/speech/speech-model.js'
import type { VoiceAgentSettings } from '../../voice-agent-sessions/voice-agent-settings.entity.js'
import type { ToolParameter, VoiceAgentTool } from '../voice-agent-tool.entity.js'
import type { VoiceAgentTools } from '../voice-agent-tool.service.js'

export class SpeechTools {
  constructor(private readonly tools: Pick<VoiceAgentTools, 'list'>) {}

  /** Active tools that the version has enabled. */
  async enabled(workspace: Owner, settings: VoiceAgentSettings): Promise<VoiceAgentTool[]> {
    const ids = new Set(settings.tools_id)
    if (ids.size === 0) return []
    const tools = await this.tools.list(workspace, settings.voice_agent_id)
    return tools.filter(({ id, is_active }) => is_active && ids.has(id))
  }

  /** The same, in the form that a model gets. */
  async toolsOf(workspace: Owner, settings: VoiceAgentSettings): Promise<SpeechTool[]> {
    const enabled = await this.enabled(workspace, settings)
    return enabled.map(({ name, description, parameters }) => ({
      ...{ name, description },
      parameters: schemaOf(parameters),
    }))
  }
}

/** A tool's parameters as a JSON Schema (draft 2020-12) of its arguments. Lists and objects may hold anything. */
export function schemaOf(parameters: Readonly<Record<string, ToolParameter>>): object {
  const entries = Object.entries(parameters)
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, parameter]) => [name, propertyOf(parameter)])),
    required: entries.filter(([, { required }]) => required).map(([name]) => name),
    additionalProperties: false,
  }
}

function propertyOf({ type, description, enum: values }: ToolParameter): object {
  return {
    ...{ type, description },
    ...(values && { enum: values }),
    // Some models refuse an array without a schema of its items.
    ...(type === 'array' && { items: {} }),
  }
}

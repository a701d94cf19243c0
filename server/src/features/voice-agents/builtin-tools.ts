/** The tools that every voice agent has: what the platform itself does for it in a call. */
import type { ToolParameter, VoiceAgentTool } from './voice-agent-tool.entity.js'

type BuiltinTool = Pick<VoiceAgentTool, 'name' | 'description' | 'parameters' | 'required_params'>

const required = (description: string, more: Partial<ToolParameter> = {}): ToolParameter => ({
  type: 'string',
  description,
  required: true,
  ...more,
})
const optional = (description: string, more: Partial<ToolParameter> = {}): ToolParameter => ({
  ...required(description, more),
  required: false,
})

/** Contract, section Voice agent tool; the parameters of collect_digits are ours. */
export const builtinTools: readonly BuiltinTool[] = [
  {
    name: 'transfer_call',
    description: 'Transfers the caller to a person: when they ask for one, or when you cannot help.',
    parameters: {
      to: required('A phone number, an agent’s extension or a team’s name'),
      reason: optional('Why the call is transferred, in a few words'),
    },
    required_params: ['to'],
  },
  {
    name: 'end_call',
    description: 'Ends the call: when all is said and the caller has said goodbye.',
    parameters: { reason: optional('Why the call ends, in a few words') },
    required_params: [],
  },
  {
    name: 'hold_call',
    description: 'Puts the caller on hold with music, or takes the call up again.',
    parameters: { action: required('What to do', { enum: ['hold', 'resume'] }) },
    required_params: ['action'],
  },
  {
    name: 'collect_digits',
    description: 'Has the caller press keys of the telephone: for numbers that must be exact.',
    parameters: {
      max_digits: optional('Stop at so many digits, 1 to 32', { type: 'integer' }),
      timeout: optional('Seconds to wait for the next key, 1 to 60', { type: 'integer' }),
      finish_on_key: optional('The key that ends the input', { enum: ['#', '*'] }),
    },
    required_params: [],
  },
]

import { apiKey, endpoint } from '../../../infrastructure/http/endpoint.js'
import { InstructionDraftShape, WriteInstructions } from './instructions.schema.js'
import type { InstructionService } from './instructions.service.js'

interface Services {
  instructions: InstructionService
}

export function instructionEndpoints({ instructions }: Services) {
  return [
    endpoint({
      method: 'POST',
      path: '/voice-agents/instructions',
      summary: 'Have instructions of a voice agent written',
      description:
        'By a text model that the operator has set up. The first request begins a conversation; further ones with `conversation` have its draft changed.',
      tag: 'Voice agents',
      auth: apiKey('full'),
      tier: 'heavy',
      body: WriteInstructions,
      response: { 201: InstructionDraftShape },
      errors: {
        403: 'The conversation is as long as it may be',
        409: 'There is no text model',
        503: 'The text model failed',
      },
      handler: async ({ workspace, body }) => {
        const made = await instructions.write(workspace, body)
        return {
          instructions: made.instructions,
          greeting_message: made.greeting_message,
          conversation: made.conversation_id,
          response_id: made.id,
          created_at: made.created_at.toISOString(),
        }
      },
    }),
  ]
}

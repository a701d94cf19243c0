import { MadeAppCallShape } from '../calls/api/app-calls.schema.js'
import { apiKey, endpoint } from '../../infrastructure/http/endpoint.js'
import { idParams } from '../../infrastructure/http/shapes.js'
import type { TrialCalls } from './trial-calls.js'
import { TalkWith } from './voice-agent.schema.js'

export function trialCallEndpoints({ trialCalls }: { trialCalls: TrialCalls }) {
  return [
    endpoint({
      method: 'POST',
      path: '/voice-agents/:id/talk',
      summary: 'Talk with a version of a voice agent',
      description:
        'Makes a call from an app, such as a browser: it connects to `ws_url` within 30 seconds and answers the offer, and the voice agent greets it. The default `version` is the published one. The call costs as much as any call with the voice agent.',
      tag: 'Voice agents',
      auth: apiKey('full'),
      params: idParams,
      body: TalkWith,
      idempotent: true,
      response: { 201: MadeAppCallShape },
      errors: {
        403: 'No credit, or as many calls at once as allowed',
        404: 'No such voice agent',
        409: 'The Idempotency-Key was used for another request',
      },
      handler: async ({ workspace, actor, params, body, idempotencyKey }) =>
        trialCalls.make(workspace, actor, params.id, body.version, idempotencyKey),
    }),
  ]
}

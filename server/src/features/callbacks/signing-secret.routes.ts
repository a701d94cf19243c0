import { apiKey, endpoint } from '../../infrastructure/http/endpoint.js'
import { NewSigningSecretShape, SigningSecretShape } from './signing-secret.schema.js'
import type { SigningSecretService } from './signing-secret.service.js'

const tag = 'Workspace'

export function signingSecretEndpoints({ signingSecrets }: { signingSecrets: SigningSecretService }) {
  return [
    endpoint({
      method: 'GET',
      path: '/signing-secret',
      summary: 'Show since when callbacks are signed with the present secret',
      description:
        'Callbacks are what a call asks of your own server: contact lookup, JSON call action and the callback of `ivr`. `created_at` is null before the first one.',
      tag,
      auth: apiKey('any', ['owner']),
      response: { 200: SigningSecretShape },
      handler: async ({ workspace }) => ({
        workspace_id: workspace.id,
        created_at: (await signingSecrets.madeAt(workspace))?.toISOString() ?? null,
      }),
    }),
    endpoint({
      method: 'POST',
      path: '/signing-secret/rotate',
      summary: 'Make a new secret that callbacks are signed with',
      description:
        'The secret is in this answer and never shown again. Callbacks made from now on are signed with it.',
      tag,
      auth: apiKey('full', ['owner']),
      response: { 201: NewSigningSecretShape },
      handler: async ({ workspace }) => {
        const { secret, madeAt } = await signingSecrets.rotate(workspace)
        return { workspace_id: workspace.id, created_at: madeAt.toISOString(), secret }
      },
    }),
  ]
}

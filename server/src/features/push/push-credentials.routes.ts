import { apiKey, endpoint } from '../../infrastructure/http/endpoint.js'
import { idParams } from '../../infrastructure/http/shapes.js'
import { withTimes } from '../../infrastructure/resources/with-times.js'
import type { PushCredential } from './push-credential.entity.js'
import { pushCredentialResource } from './push-credential.resource.js'
import { PushTestShape } from './push-credential.schema.js'
import type { PushCredentialService } from './push-credential.service.js'
import type { PushOutcome } from './push.js'
import type { PushService } from './push.service.js'

interface Services {
  pushCredentials: PushCredentialService
  push: Pick<PushService, 'test'>
}

export function pushCredentialEndpoints({ pushCredentials, push }: Services) {
  return [
    ...pushCredentialResource.endpoints(pushCredentials, present),
    endpoint({
      method: 'POST',
      path: '/push-credentials/:id/test',
      summary: 'Ask the push service whether it takes a push credential',
      description: 'By a push to a token that no device has. A topic or bundle id is not tried by it.',
      tag: pushCredentialResource.tag,
      auth: apiKey('full'),
      params: idParams,
      response: { 200: PushTestShape },
      errors: { 404: 'No such push credential' },
      handler: async ({ workspace, params }) =>
        presentTest(await push.test(await pushCredentials.get(workspace, params.id))),
    }),
  ]
}

/** The token was made up: that it is dead says that the credential is good. */
function presentTest(outcome: PushOutcome) {
  if (outcome.kind === 'sent' || outcome.kind === 'dead_token')
    return { result: 'accepted' as const, reason: null }
  return {
    result: outcome.kind === 'refused' ? ('refused' as const) : ('unreachable' as const),
    reason: outcome.reason,
  }
}

function present({ private_key: _, ...credential }: PushCredential) {
  return { ...withTimes(credential), last_error_at: credential.last_error_at?.toISOString() ?? null }
}

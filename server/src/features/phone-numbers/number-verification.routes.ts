import { apiKey, endpoint } from '../../infrastructure/http/endpoint.js'
import { idParams } from '../../infrastructure/http/shapes.js'
import type { NumberVerification } from './number-verification.js'
import {
  CheckVerification,
  NumberVerificationShape,
  StartVerification,
} from './number-verification.schema.js'
import { PhoneNumberShape } from './phone-number.schema.js'
import { presentNumber } from './phone-number.presenter.js'

const tag = 'Phone numbers'

export function numberVerificationEndpoints({ verification }: { verification: NumberVerification }) {
  return [
    endpoint({
      method: 'POST',
      path: '/phone-numbers/:id/verification',
      summary: 'Have a number called or texted with a code',
      description:
        'The code shows that the number is the workspace’s, and holds for ten minutes. Three codes a day are sent to a number, and ten an hour for a workspace. It comes over the operator’s line.',
      tag,
      auth: apiKey('full'),
      tier: 'heavy',
      params: idParams,
      body: StartVerification,
      response: { 201: NumberVerificationShape },
      errors: {
        403: 'A toll-free, premium-rate, short or other special number, which only the operator verifies; or the operator has no line for codes',
        404: 'No such number',
        409: 'It is verified',
      },
      handler: async ({ workspace, params, body }) => {
        const { phone_number_id, channel, attempts_left, created_at, expires_at } = await verification.start(
          workspace,
          params.id,
          body.channel,
        )
        return {
          ...{ phone_number_id, channel, attempts_left },
          ...{ created_at: created_at.toISOString(), expires_at: expires_at.toISOString() },
        }
      },
    }),
    endpoint({
      method: 'POST',
      path: '/phone-numbers/:id/verification/check',
      summary: 'Verify a number with the code that it was brought',
      tag,
      auth: apiKey('full'),
      params: idParams,
      body: CheckVerification,
      response: { 200: PhoneNumberShape },
      errors: { 404: 'No such number' },
      handler: async ({ workspace, params, body }) =>
        presentNumber(await verification.check(workspace, params.id, body.code)),
    }),
  ]
}

import Type, { type Static } from 'typebox'
import type { Collected } from '../../model/script-results.js'
import { type ActionContext, action } from './action.js'
import { CallbackHeaders, CallbackUrl, KeyTimeout, callbackProblems } from './shared-params.js'

const defaultTimeout = 5

const params = Type.Object({
  max_digits: Type.Optional(
    Type.Integer({
      ...{ minimum: 1, maximum: 10 },
      description: 'Keys to collect; 1 by default',
      'x-field': { default: 1 },
    }),
  ),
  timeout: KeyTimeout,
  webhook_url: Type.Optional(CallbackUrl),
  webhook_headers: Type.Optional(CallbackHeaders),
})
export type IvrParams = Static<typeof params>

const places = { url: 'webhook_url', headers: 'webhook_headers' }

/**
 * Collects digits until there are enough of them, `#` is pressed, or no key comes; keys pressed before count. Sends
 * them to the customer's server (contract, Call actions, ivr callback).
 */
export const ivr = action({
  name: 'ivr',
  summary: 'Collects keys that the caller presses, and sends them to your server',
  params,
  requiredOutbound: ['webhook_url'],
  check: async (_workspace, given, services) => Promise.resolve(callbackProblems(places, given, services)),
  run: async (context, given) => (await collectDigits(context, given)).status,
})

/** Does what `ivr` does. @returns also the digits */
export async function collectDigits(
  context: ActionContext,
  { timeout = defaultTimeout, max_digits = 1, webhook_url: url, webhook_headers: headers = {} }: IvrParams,
): Promise<Collected> {
  await context.open()
  const keys = await context.collect({
    ...{ timeoutMs: timeout * 1000, maxDigits: max_digits, terminator: '#' },
  })
  // Keys for an action that has been replaced are discarded.
  if (!context.signal.aborted) await context.reportKeys(keys, url === undefined ? null : { url, headers })
  return keys
}

import Type, { type Static } from 'typebox'
import type { Collected } from '../collect.js'
import { type ActionContext, action } from './action.js'
import { CallbackUrl, KeyTimeout, callbackUrlProblems } from './shared-params.js'

const defaultTimeout = 5

const params = Type.Object({
  timeout: KeyTimeout,
  max_digits: Type.Optional(Type.Integer({ minimum: 1, maximum: 10, description: '1 by default' })),
  webhook_url: Type.Optional(CallbackUrl),
})
export type IvrParams = Static<typeof params>

/**
 * Collects digits until there are enough of them, `#` is pressed, or no key comes; keys pressed before count. Tells the
 * customer's server what they were (contract, Call actions, ivr callback).
 */
export const ivr = action({
  name: 'ivr',
  params,
  requiredOutbound: ['webhook_url'],
  check: async (_workspace, { webhook_url }, services) =>
    Promise.resolve(callbackUrlProblems('webhook_url', webhook_url, services)),
  run: async (context, given) => (await collectDigits(context, given)).status,
})

/** Does what `ivr` does. @returns also the digits */
export async function collectDigits(
  context: ActionContext,
  { timeout = defaultTimeout, max_digits = 1, webhook_url }: IvrParams,
): Promise<Collected> {
  await context.open()
  const keys = await context.collect({
    ...{ timeoutMs: timeout * 1000, maxDigits: max_digits, terminator: '#' },
  })
  // What was pressed for an action that another has replaced is nobody's.
  if (!context.signal.aborted) await context.tellKeys(keys, webhook_url ?? null)
  return keys
}

/** Parameters that several actions have. */
import Type from 'typebox'
import { maxUrlLength } from '../../http-client/urls.js'
import type { FieldProblem } from '../../http/errors.js'
import { Id, reference } from '../../http/shapes.js'
import { type ActionServices, problem } from './action.js'

export const AudioId = reference('audio', Id())

export const defaultRingTimeout = 30

/** Seconds that somebody is rung. */
export const RingTimeout = Type.Integer({ minimum: 1, maximum: 300, description: 'Seconds; 30 by default' })

/** Seconds that the caller has for a key. */
export const KeyTimeout = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 60, description: 'Seconds without a key; 5 by default' }),
)

/** Where a customer's server is asked. */
export const CallbackUrl = Type.String({ maxLength: maxUrlLength, description: 'http or https' })

/** What is wrong with a {@link CallbackUrl}; where a name leads is seen when it is asked. */
export function callbackUrlProblems(
  field: string,
  url: string | undefined,
  { client }: Pick<ActionServices, 'client'>,
): FieldProblem[] {
  const broken = url === undefined ? undefined : client.brokenRule(url)
  return broken ? [problem(field, `must ${broken}`)] : []
}

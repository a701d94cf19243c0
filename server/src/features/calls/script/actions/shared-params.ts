/** Parameters that several actions have. */
import { defaultRingTimeout } from '../../dialling/dial-context.js'
import Type from 'typebox'
import { maxUrlLength } from '../../../../infrastructure/http-client/urls.js'
import { type FieldProblem, ValidationError } from '../../../../infrastructure/http/errors.js'
import { checkHeaders, headers, withCredentials } from '../../../../infrastructure/http/header-fields.js'
import { Id, reference, wellFormed } from '../../../../infrastructure/http/shapes.js'
import { type ActionServices, problem } from './action.js'

export const AudioId = reference('audio', Id())

/** What the caller hears while a destination rings. */
export const RingbackAudioId = Type.Optional({
  ...AudioId,
  description: 'Audio that the caller hears while it rings; a ringback tone by default',
})

export const SpokenText = Type.String({
  ...{ minLength: 1, maxLength: 3000, pattern: wellFormed, 'x-rule': 'a well-formed text' },
  description: 'Text to speak',
  'x-field': { kind: 'text' },
})

export const Voice = Type.Optional(
  Type.String({ minLength: 1, maxLength: 100, description: 'Voice of espeak-ng; the platform’s by default' }),
)

/** Whether the caller hears it after the answer, or before it as early media. */
export const AnswerCall = Type.Optional(
  Type.Boolean({
    description: 'true by default; false leaves an unanswered caller unanswered',
    'x-field': { default: true },
  }),
)

/** Seconds of ringing. */
export const RingTimeout = Type.Integer({
  minimum: 1,
  maximum: 300,
  description: 'Seconds that it may ring; 30 by default',
  'x-field': { default: defaultRingTimeout },
})

/** Seconds that the caller has for a key. */
export const KeyTimeout = Type.Optional(
  Type.Integer({
    ...{ minimum: 1, maximum: 60 },
    description: 'Seconds without a key; 5 by default',
    'x-field': { default: 5 },
  }),
)

/** The URL of a callback to a customer's server. */
export const CallbackUrl = Type.String({
  maxLength: maxUrlLength,
  description: 'http or https; a user and a password in it are sent as the header Authorization',
  'x-field': { kind: 'url' },
})

export const CallbackHeaders = headers(10, 'Sent with the request, such as Authorization')

/** The names of the parameters that hold a {@link CallbackUrl} and {@link CallbackHeaders}. */
interface CallbackPlaces {
  url: string
  headers: string
}

/** Problems of a callback's URL and headers. The addresses of its host are checked when the request is sent. */
export function callbackProblems(
  places: CallbackPlaces,
  params: Readonly<Record<string, unknown>>,
  { client }: Pick<ActionServices, 'client'>,
): FieldProblem[] {
  const url = params[places.url] as string | undefined
  const own = (params[places.headers] ?? {}) as Record<string, string>
  try {
    checkHeaders(places.headers, own)
    if (url === undefined) {
      return Object.keys(own).length > 0
        ? [problem(places.headers, `must not be given without ${places.url}`)]
        : []
    }
    const broken = client.brokenRule(withCredentials(places, url, own).url)
    return broken ? [problem(places.url, `must ${broken}`)] : []
  } catch (error) {
    if (error instanceof ValidationError) return [...error.errors]
    throw error
  }
}

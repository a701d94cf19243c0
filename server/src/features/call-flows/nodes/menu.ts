import Type, { type Static } from 'typebox'
import { AudioId, KeyTimeout, SpokenText, Voice } from '../../calls/script/actions/shared-params.js'
import type { FlowNode } from '../call-flow.entity.js'
import { flowNode, nodeProblem } from './flow-node.js'

const keys = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '#']
const defaultTimeout = 5
const defaultRetries = 2

const params = Type.Object({
  audio_id: Type.Optional({ ...AudioId, description: 'Audio that says the choices' }),
  text: Type.Optional({ ...SpokenText, description: 'Text that says the choices, in place of audio_id' }),
  voice: Voice,
  timeout: KeyTimeout,
  retries: Type.Optional(
    Type.Integer({
      ...{ minimum: 0, maximum: 10 },
      description: `Times that the choices are repeated; ${defaultRetries} by default`,
      'x-field': { default: defaultRetries },
    }),
  ),
  invalid_audio_id: Type.Optional({ ...AudioId, description: 'Audio after a key without an edge' }),
})

/** Says what there is to choose from, and branches by the key that is pressed. */
export const menu = flowNode({
  type: 'menu',
  group: 'ask',
  summary: 'Says the choices and branches by the key that is pressed',
  params,
  fields: { audio_id: { kind: 'prompt' }, text: { kind: 'none' }, voice: { kind: 'none' } },
  outcomes: [...keys, 'invalid', 'timeout'],
  waits: true,
  caller: 'hears',
  async check(_workspace, { params: { audio_id, text, voice }, next }, { media }) {
    const problems = []
    if ((audio_id === undefined) === (text === undefined)) {
      problems.push(nodeProblem('params', 'must have an audio_id or a text, and not both'))
    }
    if (voice !== undefined && !(await media.hasVoice(voice))) {
      problems.push(nodeProblem('params.voice', 'is not a known voice'))
    }
    if (!keys.some((key) => Object.hasOwn(next, key))) {
      problems.push(nodeProblem('next', 'must have an edge for one key at least'))
    }
    return problems
  },
  async run({ params, node, state, context, signal }) {
    const { workspace, media } = context
    const voice = params.voice === undefined ? {} : { voice: params.voice }
    const prompt =
      params.audio_id === undefined
        ? await media.speechFile(workspace, params.text ?? '', voice)
        : await media.audioFile(workspace, params.audio_id)
    await context.open()
    for (let attempts = 0; ; attempts++) {
      const { digits } = await context.collect({
        timeoutMs: (params.timeout ?? defaultTimeout) * 1000,
        ...{ maxDigits: 1, terminator: null },
        ...(prompt !== null && { prompt }),
      })
      const key = digits || null
      const attempt = menuAttempt(params, node.next, key, attempts)
      if (signal.aborted) return { outcome: 'timeout' }
      if ('outcome' in attempt) {
        return { outcome: attempt.outcome, state: { ...state, digits }, details: { key } }
      }
      const invalid =
        attempt.invalid && params.invalid_audio_id !== undefined
          ? await media.audioFile(workspace, params.invalid_audio_id)
          : null
      if (invalid !== null) await context.play(invalid)
    }
  },
  simulate({ params, node, trial, given, details }) {
    if (given !== undefined) return { outcome: given, details }
    const pressed: (string | null)[] = []
    for (;;) {
      const key = trial.keys.one()
      const attempt = menuAttempt(params, node.next, key, pressed.length)
      pressed.push(key)
      if ('outcome' in attempt) {
        const state = { ...trial.state, digits: key ?? '' }
        return { outcome: attempt.outcome, details: { ...details, pressed }, state }
      }
    }
  },
})

/** What a menu does after it was played and has waited: it ends, or is played again. */
export type MenuAttempt =
  | { outcome: string }
  /** `invalid`: `invalid_audio_id`, when there is one, is played before. */
  | { again: true; invalid: boolean }

/**
 * A key is chosen when the menu has an edge for it; `default` is no such edge. Any other key, and no key, has the menu
 * said again up to `retries` times; then what came of the last attempt is the outcome: `invalid` or `timeout`.
 * @param key the first that was pressed; null when none was in time
 * @param attempts how often it had been said before
 */
export function menuAttempt(
  { retries = defaultRetries }: Pick<Static<typeof params>, 'retries'>,
  next: FlowNode['next'],
  key: string | null,
  attempts: number,
): MenuAttempt {
  if (key !== null && keys.includes(key) && Object.hasOwn(next, key)) return { outcome: key }
  if (attempts < retries) return { again: true, invalid: key !== null }
  return { outcome: key === null ? 'timeout' : 'invalid' }
}

import { menuAttempt } from '../decisions/menu.js'
import type { MenuParams } from '../nodes/inputs.js'
import type { NodeRunner } from './node-runner.js'

const defaultTimeout = 5

/** Says what there is to choose from, and waits for one key. */
export const runMenu: NodeRunner = async ({ node, state, context, signal }) => {
  const params = node.params as MenuParams
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
}

import { StreamSettings, settingProblems } from '../../media-streams/stream-settings.js'
import { action } from './action.js'

/** Seconds to connect to the customer's server. */
const connectSeconds = 12

/**
 * Sends the call's audio to the customer's WebSocket: in the background, while the script continues; or with
 * `bidirectional` until either side hangs up, as if the server were the other party of the call.
 */
export const stream = action({
  name: 'stream',
  summary: 'Sends the audio of the call to a WebSocket of yours, in the background or in both directions',
  params: StreamSettings,
  async check(_workspace, params, { streams }) {
    return Promise.resolve(settingProblems(params, (url) => streams.brokenRule(url)))
  },
  describe({ bidirectional = false }) {
    return { bidirectional }
  },
  async run(context, settings) {
    const { bidirectional = false, answer_call } = settings
    if (!bidirectional) {
      await context.open(answer_call)
      return (await context.stream(settings)) ? 'completed' : 'failed'
    }
    // Else the caller is answered as soon as the server is connected.
    if (answer_call ?? true) await context.open(answer_call)
    const route = context.streams.routeTo(settings, (event, details) => context.note(event, details))
    const outcome = await context.join(async ({ dial }) => dial(route, { ringTimeout: connectSeconds }))
    return outcome === 'completed' ? outcome : 'failed'
  },
})

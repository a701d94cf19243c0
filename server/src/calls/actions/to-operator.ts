import Type from 'typebox'
import { reference } from '../../http/shapes.js'
import { ValidationError } from '../../http/errors.js'
import { action, problem } from './action.js'
import { AudioId, RingTimeout, defaultRingTimeout } from './shared-params.js'

/** Connects the call with a number in the telephone network, or a phone of the workspace, until one of both leaves. */
export const toOperator = action({
  name: 'to_operator',
  params: Type.Object({
    phone_number: Type.String({
      minLength: 3,
      maxLength: 64,
      description: 'E.164, or the SIP URI, username or extension of a SIP account of the workspace',
    }),
    from: Type.Optional(
      reference(
        'phone_number',
        Type.String({
          maxLength: 30,
          description: 'Caller id, a number of the workspace; the call’s own by default',
        }),
      ),
    ),
    timeout: Type.Optional(RingTimeout),
    ringback_audio_id: Type.Optional(AudioId),
  }),
  async check(workspace, params, { media, routing }) {
    const problems = []
    try {
      await routing.destination(workspace, params.phone_number, 'phone_number')
      if (params.from !== undefined) await routing.callerNumber(workspace, params.from, 'from')
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error
      problems.push(...error.errors)
    }
    const ringback = params.ringback_audio_id
    if (ringback !== undefined && !(await media.audioFile(workspace, ringback))) {
      problems.push(problem('ringback_audio_id', 'is not an audio of this workspace'))
    }
    return problems
  },
  async run(context, params) {
    const from =
      params.from === undefined
        ? await context.phoneNumber()
        : await context.routing.callerNumber(context.workspace, params.from, 'from')
    const to = await context.routing.destination(context.workspace, params.phone_number, 'phone_number')
    const route = await context.routing.route(context.workspace, from, to)
    if (!route) return 'failed'
    const ringback = params.ringback_audio_id
      ? await context.media.audioFile(context.workspace, params.ringback_audio_id)
      : null
    return context.connect(route, { ringTimeout: params.timeout ?? defaultRingTimeout, ringback })
  },
})

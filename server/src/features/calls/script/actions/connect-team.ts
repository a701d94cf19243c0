import { defaultRingTimeout } from '../../dialling/dial-context.js'
import Type from 'typebox'
import { Id, reference } from '../../../../infrastructure/http/shapes.js'
import { builtInMusic } from '../../../../adapters/freeswitch/hold-music.js'
import { Hold } from '../../queue/hold.js'
import type { QueuePosition } from '../../queue/queue-position.js'
import { waitInQueue } from '../../queue/wait-in-queue.js'
import { dialTeam } from '../../dialling/ring-group.js'
import { strategies } from '../../dialling/team-members.js'
import { action, problem } from './action.js'
import { ringbackFile, ringbackProblems } from './ringback.js'
import { AudioId, RingTimeout, RingbackAudioId } from './shared-params.js'

const defaultMaxWait = 300
const defaultMaxLength = 100

const queue = Type.Object({
  max_wait: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 3600,
      description: 'Seconds that a caller may wait; 300 by default',
      'x-field': { default: defaultMaxWait },
    }),
  ),
  max_length: Type.Optional(
    Type.Integer({
      ...{ minimum: 1, maximum: 1000 },
      description: 'Callers that may wait; 100 by default',
      'x-field': { default: defaultMaxLength },
    }),
  ),
  music_audio_id: Type.Optional({
    ...AudioId,
    description: 'Audio while they wait; music on hold by default',
  }),
  announce_position: Type.Optional(
    Type.Boolean({ description: 'Whether callers hear their position; false by default' }),
  ),
})

/**
 * Connects the call with a member of a team until either side hangs up; with a `queue` it waits until one is free.
 */
export const connectTeam = action({
  name: 'connect_team',
  summary:
    'Rings the members of a team and connects the call with one; with a queue the caller waits for one',
  params: Type.Object({
    team_id: reference('team', Id()),
    strategy: Type.Optional(
      Type.Enum([...strategies], {
        description: 'Which members ring, and in which order; ring-all by default',
        'x-field': { default: 'ring-all' },
      }),
    ),
    timeout: Type.Optional(RingTimeout),
    ringback_audio_id: RingbackAudioId,
    queue: Type.Optional({ ...queue, description: 'Makes the caller wait while no member is free' }),
  }),
  async check(workspace, params, { media, members }) {
    const music = params.queue?.music_audio_id
    const hasMusic = music === undefined || (await media.audioFile(workspace, music)) !== null
    const isKnown = await members.teamExists(workspace, params.team_id)
    return [
      ...(isKnown ? [] : [problem('team_id', 'is not a team of this workspace')]),
      ...(await ringbackProblems(workspace, params, media)),
      ...(hasMusic ? [] : [problem('queue.music_audio_id', 'is not an audio of this workspace')]),
    ]
  },
  async run(context, params) {
    const { call, media, workspace } = context
    const group = {
      teamId: params.team_id,
      strategy: params.strategy ?? 'ring-all',
      ringTimeout: params.timeout ?? defaultRingTimeout,
      ringback: await ringbackFile(context, params),
    }
    const { queue } = params
    if (!queue) return context.join(async (dialer) => dialTeam(context, dialer, group))
    const music = queue.music_audio_id
    const waiting = {
      maxWait: queue.max_wait ?? defaultMaxWait,
      maxLength: queue.max_length ?? defaultMaxLength,
    }
    const file = music === undefined ? null : await media.audioFile(workspace, music)
    const begin = async (place: QueuePosition) => {
      await context.open()
      return new Hold({
        ...{ line: context.line, media, workspace, place },
        ...{ announce: queue.announce_position ?? false, music: file ?? builtInMusic },
      })
    }
    const queueContext = { ...context, begin }
    return context.join(async (dialer) => waitInQueue(queueContext, dialer, { ...group, ...waiting, call }))
  },
})

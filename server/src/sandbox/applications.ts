/** The dialplan applications that are simulated: how long each lasts and what it answers. */
import { audioLength } from './audio-length.js'
import { causeNamed } from './causes.js'
import type { SimulatedChannel } from './simulated-channel.js'

/** What an application does once it has begun: `lasts` is in milliseconds, Infinity until something ends it. */
export interface Doing {
  lasts: number
  response?: string
  /** A break or a terminating key ends it. */
  audible?: boolean
}

type Application = (channel: SimulatedChannel, argument: string) => Doing

const done: Doing = { lasts: 0 }

const setVariables: Application = (channel, argument) => {
  const equals = argument.indexOf('=')
  if (equals > 0) channel.set(argument.slice(0, equals).trim(), argument.slice(equals + 1))
  return done
}

const playback: Application = (_channel, argument) => {
  const lasts = audioLength(argument)
  if (lasts === undefined) return { lasts: 0, response: 'FILE NOT FOUND' }
  return { lasts, response: 'FILE PLAYED', audible: true }
}

/** Recorded nowhere: these are taken without effect. */
const accepted: Application = () => done

export const applications: Readonly<Record<string, Application>> = {
  park: () => ({ lasts: Infinity }),
  playback,
  endless_playback: (channel, argument) => ({ ...playback(channel, argument), lasts: Infinity }),
  set: setVariables,
  export: setVariables,
  unset: (channel, argument) => {
    channel.set(argument.trim(), '')
    return done
  },
  multiset: (channel, argument) => {
    for (const pair of argument.split(' ')) setVariables(channel, pair)
    return done
  },
  sleep: (_channel, argument) => ({ lasts: Math.max(0, Number.parseInt(argument, 10) || 0), audible: true }),
  hangup: (channel, argument) => {
    channel.hangUp(argument ? causeNamed(argument) : 'NORMAL_CLEARING')
    return done
  },
  answer: accepted,
  pre_answer: accepted,
  ring_ready: accepted,
  sched_hangup: (channel, argument) => {
    const [when = '', cause] = argument.split(' ')
    channel.schedule(Number(when.replace('+', '')) || 0, cause ?? 'ALLOTTED_TIMEOUT')
    return done
  },
  record_session: accepted,
  stop_record_session: accepted,
  log: accepted,
  info: accepted,
}

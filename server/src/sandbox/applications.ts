/** The dialplan applications that are simulated: how long each lasts and what it answers. */
import { audioLength } from './audio-length.js'
import { causeNamed, causeOfStatus } from './causes.js'
import type { SimulatedChannel } from './simulated-channel.js'

/** What an application does once it has begun: `lasts` is in milliseconds, Infinity until something ends it. */
export interface Doing {
  lasts: number
  response?: string
  /** A break or a terminating key ends it. */
  audible?: boolean
  /** For one that lasts until another event: it gets a function that ends it. @returns false to end at once */
  until?: (ends: () => void) => boolean
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

/** An application that is done as soon as it has begun. */
function instant(run: (channel: SimulatedChannel, argument: string) => void): Application {
  return (channel, argument) => {
    run(channel, argument)
    return done
  }
}

/** Shown nowhere: these are taken without effect. */
const accepted: Application = () => done

export const applications: Readonly<Record<string, Application>> = {
  park: () => ({ lasts: Infinity }),
  playback,
  endless_playback: (channel, argument) => ({ ...playback(channel, argument), lasts: Infinity }),
  eavesdrop: (channel, argument) => ({ lasts: Infinity, until: (ends) => channel.hears(argument, ends) }),
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
  ring_ready: instant((channel) => channel.ringReady()),
  pre_answer: instant((channel) => channel.preAnswer()),
  answer: instant((channel) => channel.answer()),
  respond: instant((channel, argument) => {
    const status = Number.parseInt(argument, 10)
    if (channel.times.answered === 0 && status >= 300) channel.hangUp(causeOfStatus(status))
  }),
  sched_hangup: (channel, argument) => {
    const [when = '', cause] = argument.split(' ')
    channel.schedule(Number(when.replace('+', '')) || 0, cause ?? 'ALLOTTED_TIMEOUT')
    return done
  },
  sched_cancel: instant((channel) => void channel.unschedule()),
  record_session: instant((channel, argument) => {
    const [file = '', limit = ''] = argument.split(' ')
    channel.recordings.start(file, Number.parseInt(limit.replace('+', ''), 10) || 0, '')
  }),
  stop_record_session: instant((channel, argument) => {
    const { recordings } = channel
    for (const file of argument === 'all' ? recordings.files : [argument]) recordings.stop(file)
  }),
  log: accepted,
  info: accepted,
}

/** What a channel runs: breaks, broadcasts, transfers, answers, bridges. */
import { randomUUID } from 'node:crypto'
import { parseScript } from '../dial-string.js'
import type { SimulatedChannel } from '../simulated-channel.js'
import { separate } from '../words.js'
import { noSuchChannel, usage, type ApiCommand, type CommandTable } from './command.js'

/** A command that reports progress to a caller. */
function progress(report: (channel: SimulatedChannel) => void): ApiCommand {
  return (sandbox, argument) => {
    const channel = sandbox.find(argument.trim())
    if (!channel) return '-ERROR\n'
    report(channel)
    return '+OK\n'
  }
}

export const mediaCommands: CommandTable = {
  uuid_break(sandbox, argument) {
    const [uuid, flag = ''] = separate(argument, ' ', 2)
    if (!uuid) return usage('<uuid> [all]')
    const channel = sandbox.find(uuid)
    if (!channel) return noSuchChannel
    channel.applications.break(flag.includes('all'))
    return '+OK\n'
  },

  uuid_broadcast(sandbox, argument) {
    const [uuid, path] = separate(argument, ' ')
    if (!uuid || !path) return usage('<uuid> <path> [aleg|bleg|holdb|both]')
    const channel = sandbox.find(uuid)
    if (!channel) return '-ERR invalid uuid\n'
    // `application::argument` runs that application, anything else is played.
    const [application, rest] = path.includes('::') ? path.split('::', 2) : ['playback', path]
    channel.applications.execute({
      name: application ?? 'playback',
      argument: rest ?? '',
      uuid: randomUUID(),
      locked: false,
    })
    return '+OK Message sent\n'
  },

  /** Nothing is mixed: no one hears what is played here. */
  uuid_displace(sandbox, argument) {
    const [uuid, verb, path] = argument.trim().split(' ')
    if (!uuid || (verb !== 'start' && verb !== 'stop') || !path) {
      return usage('<uuid> [start|stop] <path> [<limit>] [mux]')
    }
    return sandbox.find(uuid) ? '+OK Success\n' : '-ERR Cannot locate session!\n'
  },

  uuid_transfer(sandbox, argument) {
    const words = separate(argument, ' ')
    const [uuid, ...rest] = words
    if (!uuid || rest.length < 1 || words.length > 5) {
      return usage('<uuid> [-bleg|-both] <dest-exten> [<dialplan>] [<context>]')
    }
    const channel = sandbox.find(uuid)
    if (!channel) return noSuchChannel
    const flag = rest[0]?.startsWith('-') ? rest.shift() : undefined
    const program = parseScript(rest[0] ?? 'park', rest[1] ?? '')
    const { peer } = channel
    if (flag === '-bleg') (peer ?? channel).transfer(program)
    else {
      if (flag === '-both') peer?.transfer(program)
      channel.transfer(program)
    }
    return '+OK\n'
  },

  uuid_ring_ready: progress((channel) => channel.ringReady()),
  uuid_pre_answer: progress((channel) => channel.preAnswer()),
  uuid_answer: progress((channel) => channel.answer()),

  uuid_bridge(sandbox, argument) {
    const [first, second] = separate(argument, ' ')
    if (!first || !second) return usage('<uuid> <other_uuid>')
    const channel = sandbox.find(first)
    const other = sandbox.find(second)
    if (!channel?.begun || !other?.begun || channel === other) return '-ERR Invalid uuid\n'
    channel.bridge(other)
    return `+OK ${second}\n`
  },
}

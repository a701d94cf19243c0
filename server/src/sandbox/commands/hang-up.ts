/** Commands that end channels, now or later. */
import { causeNamed } from '../causes.js'
import { separate } from '../words.js'
import { noSuchChannel, usage, type CommandTable } from './command.js'

export const hangUpCommands: CommandTable = {
  uuid_kill(sandbox, argument) {
    const [uuid, cause] = separate(argument, ' ', 2)
    if (!uuid) return usage('<uuid> [cause]')
    const channel = sandbox.find(uuid)
    if (!channel) return noSuchChannel
    channel.hangUp(cause ? causeNamed(cause) : 'NORMAL_CLEARING')
    return '+OK\n'
  },

  hupall(sandbox, argument) {
    const [named, ...pairs] = separate(argument, ' ')
    const cause = named ? causeNamed(named) : 'MANAGER_REQUEST'
    const [name, value] = pairs
    const matching = name !== undefined && value !== undefined
    for (const channel of sandbox.channels) {
      if (!matching || channel.variables.get(name) === value) channel.hangUp(cause)
    }
    if (!matching) return `+OK hangup all channels with cause ${cause}\n`
    return `+OK hangup all channels matching [${name}]=[${value}] with cause: ${cause}\n`
  },

  sched_hangup(sandbox, argument) {
    const [when, uuid = '', cause] = separate(argument, ' ')
    if (!when) return usage('[+]<time> <uuid> [<cause>]')
    const channel = sandbox.find(uuid)
    if (!channel) return noSuchChannel
    const number = Number.parseInt(when.replace('+', ''), 10) || 0
    const seconds = when.startsWith('+') ? number : number - Math.floor(Date.now() / 1000)
    const named = cause ? causeNamed(cause) : 'ALLOTTED_TIMEOUT'
    if (seconds <= 0) channel.hangUp(named)
    else channel.schedule(seconds, named)
    return '+OK\n'
  },

  sched_del(sandbox, argument) {
    return `+OK Deleted: ${sandbox.find(argument.trim())?.unschedule() ?? 0}\n`
  },
}

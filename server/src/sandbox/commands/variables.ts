/** Channel variables: read, set, dumped. */
import { eventPlain } from '../wire.js'
import { separate } from '../words.js'
import { noSuchChannel, usage, type CommandTable } from './command.js'

export const variableCommands: CommandTable = {
  uuid_setvar(sandbox, argument) {
    const [uuid, name, value = ''] = separate(argument, ' ', 3)
    if (!uuid || !name) return usage('<uuid> <var> [value]')
    const channel = sandbox.find(uuid)
    if (!channel) return noSuchChannel
    channel.set(name, value)
    return '+OK\n'
  },

  uuid_setvar_multi(sandbox, argument) {
    const [uuid, rest] = /^(\S+)\s+(.*)$/s.exec(argument)?.slice(1) ?? []
    const syntax = usage('<uuid> <var>=<value>;<var>=<value>...')
    if (!uuid || !rest) return syntax
    const channel = sandbox.find(uuid)
    if (!channel) return noSuchChannel + syntax
    for (const pair of separate(rest, ';')) {
      const [name, value = ''] = separate(pair, '=', 2)
      if (name) channel.set(name, value)
    }
    return '+OK\n'
  },

  uuid_getvar(sandbox, argument) {
    const [uuid, name] = separate(argument, ' ', 3)
    if (!uuid || !name) return usage('<uuid> <var>')
    const channel = sandbox.find(uuid)
    return channel ? (channel.variables.get(name) ?? '_undef_') : noSuchChannel
  },

  uuid_dump(sandbox, argument) {
    const [uuid, format = 'txt'] = separate(argument, ' ')
    if (!uuid) return usage('<uuid> [format]')
    const channel = sandbox.find(uuid)
    if (!channel) return noSuchChannel
    const dump = channel.dump()
    return format.toLowerCase() === 'json' ? JSON.stringify(dump.headers) : eventPlain(dump)
  },

  uuid_exists: (sandbox, argument) => String(sandbox.find(argument.trim()) !== undefined),
}

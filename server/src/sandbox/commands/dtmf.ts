/** Keys, outward and as if received. */
import { separate } from '../words.js'
import { usage, type CommandTable } from './command.js'

const locate = (sandbox: Parameters<CommandTable[string]>[0], argument: string) => {
  const [uuid, keys] = separate(argument, ' ', 2)
  return { uuid, keys, channel: uuid ? sandbox.find(uuid) : undefined }
}

/** The characters that are keys; what follows an `@` is their length. */
const keysIn = (text: string) => (text.split('@')[0] ?? '').replace(/[^0-9*#A-Da-d]/g, '')

export const dtmfCommands: CommandTable = {
  uuid_send_dtmf(sandbox, argument) {
    const { uuid, keys, channel } = locate(sandbox, argument)
    if (!uuid || !keys) return usage('<uuid> <dtmf_data>')
    if (!channel) return '-ERR Cannot locate session!\n'
    return `+OK ${uuid} sent DTMF ${keys}.\n`
  },

  uuid_recv_dtmf(sandbox, argument) {
    const { uuid, keys, channel } = locate(sandbox, argument)
    if (!uuid || !keys) return usage('<uuid> <dtmf_data>')
    if (!channel) return '-ERR Cannot locate session!\n'
    channel.press(keysIn(keys).slice(0, 100), 'APP')
    return `+OK ${uuid} received DTMF ${keys}.\n`
  },
}

/** Recording of channels. */
import { separate } from '../words.js'
import { usage, type CommandTable } from './command.js'

export const recordCommands: CommandTable = {
  uuid_record(sandbox, argument) {
    const [uuid, verb, file, limit = '0', variables = ''] = separate(argument, ' ', 5)
    if (!uuid || !verb || !file) {
      return usage('<uuid> [start|stop|mask|unmask] <path> [<limit>] [<recording_vars>]')
    }
    const recordings = sandbox.find(uuid)?.recordings
    if (!recordings) return '-ERR Cannot locate session!\n'
    switch (verb) {
      case 'start': {
        const channels = /\bRECORD_STEREO=true\b/.test(variables) ? 2 : 1
        const isBegun = recordings.begin(file, { channels, seconds: Number(limit) || 0 })
        return isBegun ? '+OK Success\n' : '-ERR Cannot record session!\n'
      }
      case 'stop':
        return recordings.end(file) ? '+OK Success\n' : '-ERR Cannot stop record session!\n'
      case 'mask':
      case 'unmask':
        return recordings.files.includes(file) ? '+OK Success\n' : `-ERR Cannot ${verb} recording session!\n`
      default:
        return usage('<uuid> [start|stop|mask|unmask] <path> [<limit>] [<recording_vars>]')
    }
  },

  uuid_buglist(sandbox, argument) {
    const recordings = sandbox.find(argument.trim())?.recordings
    if (!recordings) return '-ERR no reply\n'
    const taps = recordings.files.map(
      (file) =>
        ` <media-bug>\n  <function>session_record</function>\n  <target>${file}</target>\n  <thread-locked>0</thread-locked>\n </media-bug>\n`,
    )
    return `<media-bugs>\n${taps.join('')}</media-bugs>\n`
  },
}

/** Recordings, by command. */
import { separate } from '../words.js'
import { usage, type CommandTable } from './command.js'

const USAGE = '<uuid> [start|stop|mask|unmask] <path> [<limit>] [<recording_vars>]'

export const recordingCommands: CommandTable = {
  uuid_record(sandbox, argument) {
    const [uuid, action, file, limit = '', options = ''] = separate(argument, ' ', 5)
    if (!uuid || !action || !file) return usage(USAGE)
    const channel = sandbox.find(uuid)
    if (!channel) return '-ERR Cannot locate session!\n'
    const { recordings } = channel
    switch (action) {
      case 'start':
        recordings.start(file, Number.parseInt(limit, 10) || 0, options)
        return '+OK Success\n'
      case 'stop': {
        const files = file === 'all' ? recordings.files : [file]
        const stopped = files.map((one) => recordings.stop(one))
        return stopped.every(Boolean) ? '+OK Success\n' : '-ERR Cannot stop record session!\n'
      }
      case 'mask':
      case 'unmask':
        return recordings.mask(file, action === 'mask')
          ? '+OK Success\n'
          : `-ERR Cannot ${action} recording session!\n`
      default:
        return usage(USAGE)
    }
  },

  uuid_buglist(sandbox, argument) {
    const channel = sandbox.find(argument.trim())
    if (!channel) return '-ERR no reply\n'
    const bugs = channel.recordings.files.map(
      (file) =>
        ` <media-bug>\n  <function>session_record</function>\n  <target>${file}</target>\n` +
        '  <thread-locked>0</thread-locked>\n </media-bug>\n',
    )
    return `<media-bugs>\n${bugs.join('')}</media-bugs>\n`
  },
}

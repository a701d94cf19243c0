import { Args, Flags } from '@oclif/core'
import { ask } from '../../lib/ask.js'
import { BaseCommand, workspaceFlag } from '../../lib/base-command.js'
import { call } from '../../lib/endpoints.js'
import { amountOf } from '../../lib/texts.js'
import { uploadOf } from '../../lib/upload.js'
import { usageError } from '../../lib/usage-error.js'

export default class AudioAdd extends BaseCommand {
  static override summary = 'Add an audio: a file, or speech'
  static override examples = [
    '<%= config.bin %> audio add welcome.wav --workspace acme --title Welcome',
    '<%= config.bin %> audio add --workspace acme --title Welcome --text "Welcome to Acme."',
  ]
  static override args = { file: Args.string({ description: 'WAV, MP3 or Ogg' }) }
  static override flags = {
    ...workspaceFlag,
    title: Flags.string({ description: 'name that people read' }),
    text: Flags.string({ description: 'what is spoken' }),
    voice: Flags.string({ description: 'voice that speaks', dependsOn: ['text'] }),
    speed: Flags.string({ description: 'from 0.5 to 2; 1 is normal', dependsOn: ['text'] }),
  }

  async run() {
    const { args, flags } = await this.parse(AudioAdd)
    const api = await this.workspaceApi(flags)
    if ((args.file === undefined) === (flags.text === undefined)) {
      throw usageError('Give either a file or --text')
    }
    const { title, text, voice } = flags
    const speed = flags.speed === undefined ? undefined : amountOf('--speed', flags.speed)
    const body =
      args.file === undefined
        ? {
            ...{ title: await ask(title, '--title', 'Title'), text },
            ...(voice && { voice }),
            ...(speed !== undefined && { speed }),
          }
        : await uploadOf(args.file, title === undefined ? {} : { title })
    const audio = await call(api, 'post', '/audios', { body })
    this.printFields(audio)
    return audio
  }
}

import { dataOf } from '@jackfield/sdk'
import { Args, Errors, Flags } from '@oclif/core'
import { ask, usageExitCode } from '../../lib/ask.js'
import { BaseCommand, workspaceFlag } from '../../lib/base-command.js'
import { uploadOf } from '../../lib/upload.js'

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
  }

  async run() {
    const { args, flags } = await this.parse(AudioAdd)
    const api = await this.workspaceApi(flags)
    if ((args.file === undefined) === (flags.text === undefined)) {
      throw new Errors.CLIError('Give either a file or --text', { exit: usageExitCode })
    }
    const form =
      args.file === undefined
        ? undefined
        : await uploadOf(args.file, flags.title === undefined ? {} : { title: flags.title })
    const speech = { text: flags.text ?? '', title: form ? '' : await ask(flags.title, '--title', 'Title') }
    const body = { ...speech, ...(flags.voice && { voice: flags.voice }) }
    const audio = await dataOf(api.POST('/audios', { body, ...(form && { bodySerializer: () => form }) }))
    this.printFields(audio)
    return audio
  }
}

import { Args, Command, Flags } from '@oclif/core'
import { examplesOf } from '../lib/base-command.js'
import { argumentsOf, runInstaller } from '../lib/installer.js'

export default class Restore extends Command {
  static override summary = 'Restore a backup on this machine'
  static override description =
    'The appliance must be stopped. Nothing changes before the backup is read, checked and loaded; the existing data is moved aside.'
  static override examples = examplesOf([
    'restore jackfield-20260102T030000Z.tar',
    'restore jackfield-20260102T030000Z.tar.gpg --passphrase-file /etc/jackfield/backup-passphrase --replace',
  ])
  static override args = { file: Args.string({ description: 'the backup', required: true }) }
  static override flags = {
    'passphrase-file': Flags.string({
      description: 'file whose first line the backup was encrypted with',
      helpValue: '<file>',
    }),
    replace: Flags.boolean({ description: 'replace an existing appliance' }),
    'config-directory': Flags.string({
      description: 'of an installation under systemd [/etc/jackfield]',
      helpValue: '<folder>',
    }),
  }

  async run() {
    const { args, flags } = await this.parse(Restore)
    this.exit(await runInstaller('restore', [args.file, ...argumentsOf(flags)]))
  }
}

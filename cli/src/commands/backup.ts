import { Command, Flags } from '@oclif/core'
import { examplesOf } from '../lib/base-command.js'
import { argumentsOf, runInstaller } from '../lib/installer.js'

export default class Backup extends Command {
  static override summary = 'Write all that this machine’s appliance is to one file'
  static override description =
    'Database, secrets, settings, certificates, audio and recordings, while calls go on. docs/operate/backup.md tells more.'
  static override examples = examplesOf([
    'backup',
    'backup --to /mnt/backups --passphrase-file /etc/jackfield/backup-passphrase --keep 14',
  ])
  static override flags = {
    to: Flags.string({ description: 'file, or folder [backups in the appliance’s home]' }),
    'passphrase-file': Flags.string({
      description: 'file whose first line encrypts the backup',
      helpValue: '<file>',
    }),
    keep: Flags.integer({ description: 'how many backups the folder keeps; older ones go', min: 1 }),
  }

  async run() {
    const { flags } = await this.parse(Backup)
    this.exit(await runInstaller('backup', argumentsOf(flags)))
  }
}

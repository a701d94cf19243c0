import { Command, Flags } from '@oclif/core'
import { examplesOf } from '../lib/base-command.js'
import { argumentsOf, runInstaller } from '../lib/installer.js'

export default class Backup extends Command {
  static override summary = 'Back up this machine’s appliance to one file'
  static override description =
    'Database, secrets, settings, certificates, audio and recordings, while calls continue. See docs/operate/backup.md.'
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
    keep: Flags.integer({ description: 'how many backups the folder keeps; older ones are deleted', min: 1 }),
  }

  async run() {
    const { flags } = await this.parse(Backup)
    this.exit(await runInstaller('backup', argumentsOf(flags)))
  }
}

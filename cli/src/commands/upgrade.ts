import { Command, Flags } from '@oclif/core'
import { examplesOf } from '../lib/base-command.js'
import { argumentsOf, runInstaller } from '../lib/installer.js'

export default class Upgrade extends Command {
  static override summary = 'Upgrade this machine’s appliance to the version of this checkout'
  static override description =
    'Run in the checkout of the new version, beside the old one’s, with JACKFIELD_HOME of the appliance. It makes a backup first; calls continue; after a failure the old version is restored.'
  static override examples = examplesOf(['upgrade', 'upgrade --back'])
  static override flags = {
    back: Flags.boolean({ description: 'back to the version and the data from before the last upgrade' }),
    to: Flags.string({ description: 'where the backup goes: file, or folder [backups in the home]' }),
    'passphrase-file': Flags.string({
      description: 'file whose first line encrypts the backup',
      helpValue: '<file>',
    }),
    'config-directory': Flags.string({
      description: 'of an installation under systemd [/etc/jackfield]',
      helpValue: '<folder>',
    }),
  }

  async run() {
    const { flags } = await this.parse(Upgrade)
    this.exit(await runInstaller('upgrade', argumentsOf(flags)))
  }
}

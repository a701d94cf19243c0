import { Args, Command } from '@oclif/core'
import { examplesOf } from '../../lib/base-command.js'
import { runInstaller } from '../../lib/installer.js'

const names = [
  ...['master-key', 'operator-token'],
  ...['esl-password', 'rpc-secret', 'db-password', 'kamailio-db-password'],
]

export default class SecretRotate extends Command {
  static override summary = 'Replace a secret of this machine’s appliance'
  static override description =
    'The master key and the operator’s token are replaced while everything runs; the passwords between the parts, while the appliance is stopped. See docs/operate/secrets.md.'
  static override examples = examplesOf(['secret rotate master-key', 'secret rotate operator-token'])
  static override args = {
    name: Args.string({ description: 'which one', required: true, options: names }),
  }

  async run() {
    const { args } = await this.parse(SecretRotate)
    this.exit(await runInstaller('secret', ['rotate', args.name]))
  }
}

import { installerCommand } from '../lib/installer-command.js'

export default installerCommand({
  program: 'install',
  summary: 'Install the appliance under systemd, or update an installation',
  description:
    'Prompts for missing flags. Run it as root, from a world-readable checkout; docs/install/debian.md has the flags.',
  example: 'install',
})

import { installerCommand } from '../lib/installer-command.js'

export default installerCommand({
  program: 'install',
  summary: 'Make a lasting installation that systemd runs, or bring one up to date',
  description:
    'Asks for what its flags do not say. As root, from a checkout that all may read; docs/install/debian.md has the flags.',
  example: 'install',
})

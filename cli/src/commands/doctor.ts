import { installerCommand } from '../lib/installer-command.js'

export default installerCommand({
  program: 'doctor',
  summary: 'Check this machine, its network and DNS for the appliance',
  description:
    'Clock, addresses and NAT, ports, names, certificates, and failing steps of the checklist. The exit code is 1 if a check fails. --dns-server asks another name server, --clock-url another clock.',
  example: 'doctor',
})

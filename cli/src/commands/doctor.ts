import { installerCommand } from '../lib/installer-command.js'

export default installerCommand({
  program: 'doctor',
  summary: 'Look at what this machine and the world around it do for the appliance',
  description:
    'Clock, addresses and NAT, ports, names, certificates, and what the checklist finds failing. The exit code is 1 when something is ill. --dns-server asks another name server, --clock-url another clock.',
  example: 'doctor',
})

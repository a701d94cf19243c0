import { installerCommand } from '../lib/installer-command.js'

export default installerCommand({
  program: 'firewall',
  summary: 'Print firewall rules for this machine',
  description:
    'Generated from the current settings; nothing is changed. --form is nftables or ufw [nftables], --ssh-port is left open, too [22]; --connections is how many one source may have to SIP at once [256].',
  example: 'firewall',
})

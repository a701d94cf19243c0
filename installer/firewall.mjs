/** `jackfield firewall`, `npm run firewall`: prints firewall rules for the current settings, and changes nothing. */
import { parseArgs } from 'node:util'
import { Failure, messageOf } from './failure.mjs'
import { publicPorts } from './firewall/public-ports.mjs'
import { nftablesRules, ufwRules } from './firewall/rules.mjs'
import { runMain } from './progress.mjs'
import { readSettings } from './settings.mjs'

const FORMS = { nftables: nftablesRules, ufw: ufwRules }

await runMain(async () => {
  const { form, ...wishes } = readFlags()
  const ports = publicPorts(readSettings())
  if (ports.length === 0) {
    throw new Failure(
      'everything listens on this machine alone: set JACKFIELD_SIP_HOST to the address for others',
    )
  }
  process.stdout.write(FORMS[form](ports, wishes))
  return 0
})

/** @returns {{form: keyof typeof FORMS, sshPort: number, connections: number}} */
function readFlags() {
  const text = /** @type {const} */ ({ type: 'string' })
  /** @type {{form?: string, 'ssh-port'?: string, connections?: string}} */
  let values
  try {
    values = parseArgs({ options: { form: text, 'ssh-port': text, connections: text } }).values
  } catch (error) {
    throw new Failure(messageOf(error).replace(/\. .*/s, ''))
  }
  const { form = 'nftables', 'ssh-port': ssh = '22', connections = '256' } = values
  if (form !== 'nftables' && form !== 'ufw')
    throw new Failure(`--form must be nftables or ufw, not "${form}"`)
  return {
    form,
    sshPort: wholeNumber('--ssh-port', ssh, 65535),
    connections: wholeNumber('--connections', connections, 4096),
  }
}

/** @param {string} flag @param {string} text @param {number} most */
function wholeNumber(flag, text, most) {
  const number = Number(text)
  if (!/^\d{1,5}$/.test(text) || number < 1 || number > most)
    throw new Failure(`${flag} must be a whole number from 1 to ${most}, not "${text}"`)
  return number
}

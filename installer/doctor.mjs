/** `jackfield doctor`, `npm run doctor`: looks at what an appliance needs around it. The exit code is 1 when something is ill. */
import { parseArgs } from 'node:util'
import { checkCall } from './doctor/call.mjs'
import { checkCertificates } from './doctor/certificates.mjs'
import { checkChecklist } from './doctor/checklist.mjs'
import { checkClock } from './doctor/clock.mjs'
import { checkDns } from './doctor/dns.mjs'
import { checkNat } from './doctor/nat.mjs'
import { checkPorts } from './doctor/ports.mjs'
import { Failure, messageOf } from './failure.mjs'
import { runMain } from './progress.mjs'
import { readSettings } from './settings.mjs'

const MARKS = { well: '✓', ill: '✗', unknown: '?' }

/** A Debian machine reaches it to be kept up to date. */
const CLOCK_URL = 'http://deb.debian.org/'

await runMain(async () => {
  const { clockUrl, dnsServer } = readFlags()
  const settings = readSettings()
  if (process.getuid?.() !== 0) throw new Failure('this is not root: run `sudo jackfield doctor`')
  const checks = {
    clock: checkClock(clockUrl),
    addresses: checkNat(settings),
    ports: checkPorts(settings),
    names: checkDns(settings, dnsServer),
    certificates: checkCertificates(settings),
    platform: checkChecklist(settings),
    'a call': checkCall(settings),
  }
  let isIll = false
  for (const [title, findings] of Object.entries(checks)) {
    for (const { state, message, advice } of await findings) {
      isIll ||= state === 'ill'
      process.stdout.write(
        `${MARKS[state]} ${title.padEnd(13)} ${message}\n${advice ? `    → ${advice}\n` : ''}`,
      )
    }
  }
  return isIll ? 1 : 0
})

/** @returns {{clockUrl: string, dnsServer: string | undefined}} */
function readFlags() {
  const text = /** @type {const} */ ({ type: 'string' })
  try {
    const { values } = parseArgs({ options: { 'clock-url': text, 'dns-server': text } })
    return { clockUrl: values['clock-url'] ?? CLOCK_URL, dnsServer: values['dns-server'] }
  } catch (error) {
    throw new Failure(messageOf(error).replace(/\. .*/s, ''))
  }
}

/** `docker compose run --rm tools doctor`: checks the environment of the appliance in containers. */
import { describeParts } from '../appliance.mjs'
import { checkCall } from '../doctor/call.mjs'
import { checkCertificates } from '../doctor/certificates.mjs'
import { checkChecklist } from '../doctor/checklist.mjs'
import { checkClock } from '../doctor/clock.mjs'
import { checkDns } from '../doctor/dns.mjs'
import { ill, well } from '../doctor/finding.mjs'
import { checkNat } from '../doctor/nat.mjs'
import { readFlags, tell } from '../doctor/report.mjs'
import { socketsOn } from '../ports.mjs'
import { runMain } from '../progress.mjs'
import { dockerSettings, settleAddresses } from './docker-settings.mjs'
import { serverRuns } from './running.mjs'

/** @typedef {import('../doctor/finding.mjs').Finding} Finding */

await runMain(async () => {
  const { clockUrl, dnsServer } = readFlags()
  const settings = await settleAddresses(dockerSettings())
  const runs = serverRuns(settings)
  const isIll = await tell({
    clock: checkClock(clockUrl),
    addresses: checkNat(settings),
    ports: checkPorts(settings),
    names: checkDns(settings, dnsServer),
    certificates: checkCertificates(settings),
    platform: checkChecklist(settings, runs),
    'a call': checkCall(settings, runs ? 'freeswitch' : null),
  })
  return isIll ? 1 : 0
})

/**
 * A container cannot see the process that holds a port, only its user.
 * @param {import('../settings.mjs').Settings} settings
 * @returns {Finding[]}
 */
function checkPorts(settings) {
  // ports do not depend on them
  const secrets = /** @type {import('../secrets.mjs').Secrets} */ ({})
  const parts = describeParts(settings, secrets, { kind: 'freeswitch', binary: '' })
  const ports = parts.flatMap((part) => part.ports)
  const problems = ports.flatMap((port) => {
    const users = socketsOn(port).map(({ uid }) => uid)
    const name = `${port.protocol.toUpperCase()} port ${port.port} (${port.purpose})`
    if (users.length === 0)
      return [ill(`${name}: no listener`, 'docker compose ps and logs say which part is down')]
    const stranger = users.find((uid) => uid !== process.getuid?.())
    if (stranger === undefined) return []
    return [
      ill(
        `${name} is held by a program of user ${stranger} outside of the containers`,
        `stop that, or choose another with ${port.setting}`,
      ),
    ]
  })
  return problems.length > 0 ? problems : [well(`${ports.length} ports, each held by the containers’ user`)]
}

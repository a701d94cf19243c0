/** Whether each port is held by its part. */
import { chooseSwitch, describeParts } from '../appliance.mjs'
import { holderOf } from '../ports.mjs'
import { groupOf } from '../processes.mjs'
import { anythingRuns, readState } from '../state.mjs'
import { ill, well } from './finding.mjs'

/**
 * @param {import('../settings.mjs').Settings} settings
 * @returns {import('./finding.mjs').Finding[]}
 */
export function checkPorts(settings) {
  const state = readState(settings.home)
  const runs = anythingRuns(state)
  // ports do not depend on them, and the doctor creates none
  const secrets = /** @type {import('../secrets.mjs').Secrets} */ ({})
  const groups = new Set((state?.parts ?? []).map(({ process: part }) => part?.pid))
  const ports = describeParts(settings, secrets, chooseSwitch(settings)).flatMap((part) => part.ports)
  const problems = ports.flatMap((port) => {
    const holder = holderOf(port)
    const pid = Number(/\(pid (\d+)\)$/.exec(holder)?.[1])
    const name = `${port.protocol.toUpperCase()} port ${port.port} (${port.purpose})`
    if (holder === '')
      return runs ? [ill(`${name}: no listener`, 'npm run status and the logs say which part is down')] : []
    if (groups.has(groupOf(pid))) return []
    return [ill(`${name} is held by ${holder}`, `stop that, or choose another with ${port.setting}`)]
  })
  if (!runs) return [...problems, ill('Jackfield is not running', 'systemctl start jackfield, or npm run up')]
  return problems.length > 0 ? problems : [well(`${ports.length} ports, each held by its part`)]
}

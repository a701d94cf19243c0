/** `jackfield doctor`, `npm run doctor`: checks the appliance's environment. The exit code is 1 if a check fails. */
import { chooseSwitch } from './appliance.mjs'
import { checkCall } from './doctor/call.mjs'
import { checkCertificates } from './doctor/certificates.mjs'
import { checkChecklist } from './doctor/checklist.mjs'
import { checkClock } from './doctor/clock.mjs'
import { checkDns } from './doctor/dns.mjs'
import { checkNat } from './doctor/nat.mjs'
import { checkPorts } from './doctor/ports.mjs'
import { Failure } from './failure.mjs'
import { readFlags, tell } from './doctor/report.mjs'
import { checkRuntime } from './doctor/runtime.mjs'
import { checkSwitch } from './doctor/switch.mjs'
import { runMain } from './progress.mjs'
import { readSettings } from './settings.mjs'
import { anythingRuns, readState } from './state.mjs'

await runMain(async () => {
  const { clockUrl, dnsServer } = readFlags()
  const settings = readSettings()
  if (process.getuid?.() !== 0) throw new Failure('this is not root: run `sudo jackfield doctor`')
  const state = readState(settings.home)
  const runs = anythingRuns(state)
  const checks = {
    clock: checkClock(clockUrl),
    addresses: checkNat(settings),
    ports: checkPorts(settings),
    names: checkDns(settings, dnsServer),
    certificates: checkCertificates(settings),
    switch: checkSwitch(settings),
    Node: checkRuntime(settings, runs ? state : null),
    platform: checkChecklist(settings, runs),
    'a call': checkCall(settings, runs ? chooseSwitch(settings).kind : null),
  }
  return (await tell(checks)) ? 1 : 0
})

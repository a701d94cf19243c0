/** var/appliance.json: tells programs on this machine where the appliance is. */
import { appliancePath, writeJson } from './state.mjs'
import { secretPath } from './secrets.mjs'

/** Credentials of the sandbox's SMSC: no secret. */
const SANDBOX_BIND = { system_id: 'sandbox', password: 'sandbox' }

/**
 * @param {import('./settings.mjs').Settings} settings
 * @param {import('./appliance.mjs').Switch} chosen
 * @param {import('./state.mjs').SupervisorState} state
 */
export function writeAppliance(settings, chosen, state) {
  const pids = state.parts.map((part) => [part.name, part.process?.pid ?? null])
  writeJson(appliancePath(settings.home), {
    ...describeAppliance(settings, chosen.kind),
    pids: { supervisor: state.supervisor.pid, ...Object.fromEntries(pids) },
  })
}

/**
 * @param {import('./settings.mjs').Settings} settings
 * @param {import('./appliance.mjs').Switch['kind']} switchKind
 */
export function describeAppliance(settings, switchKind) {
  return {
    http: httpUrl(settings),
    base_domain: settings['base_domain'],
    admin_host: `admin.${settings['base_domain']}`,
    operator_token_file: secretPath(settings.home, 'operator-token'),
    sip: { host: settings['sip.host'], port: settings['sip.port'] },
    switch: switchKind,
    event_socket: {
      host: '127.0.0.1',
      port: settings['switch.port'],
      password_file: secretPath(settings.home, 'esl-password'),
    },
    smpp:
      switchKind === 'sandbox'
        ? { host: '127.0.0.1', port: settings['sandbox.smpp_port'], ...SANDBOX_BIND }
        : null,
  }
}

/**
 * Where the API listens, for programs on this machine.
 * @param {import('./settings.mjs').Settings} settings
 * @returns {string}
 */
export function httpUrl(settings) {
  const host = settings['http.host']
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${settings['http.port']}`
}

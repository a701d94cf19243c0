/** Commands that report on the switch. */
import { randomUUID } from 'node:crypto'
import { maxSessions, version, type SandboxSwitch } from '../sandbox-switch.js'
import { hangUpCommands } from './hang-up.js'
import { usage, type CommandTable } from './command.js'

function status(sandbox: SandboxSwitch): string {
  return [
    `UP ${sandbox.uptime()}`,
    `FreeSWITCH (Version ${version}) is ready`,
    `${sandbox.sessions} session(s) since startup`,
    `${sandbox.channels.length} session(s) - peak ${sandbox.peak}, last 5min ${sandbox.peak} `,
    `0 session(s) per Sec out of max 1000, peak 0, last 5min 0 `,
    `${maxSessions} session(s) max`,
    'min idle cpu 0.00/99.00',
    'Current Stack Size/Max 240K/8192K',
    '',
  ].join('\n')
}

function globals(sandbox: SandboxSwitch): Record<string, string> {
  return {
    core_uuid: sandbox.bus.coreUuid,
    hostname: sandbox.bus.hostname,
    switchname: sandbox.bus.switchName,
    local_ip_v4: '127.0.0.1',
    jackfield_sandbox: 'true',
    ...Object.fromEntries(sandbox.globals),
  }
}

export const informationCommands: CommandTable = {
  status,
  version: () => `FreeSWITCH Version ${version} (sandbox: simulated lines)\n`,
  hostname: (sandbox) => sandbox.bus.hostname,
  uptime: (sandbox) =>
    `${Math.floor((performance.timeOrigin + performance.now()) / 1000 - sandbox.startedAt / 1e6)}\n`,
  strepoch: () => String(Math.floor(Date.now() / 1000)),
  create_uuid: () => randomUUID(),
  echo: (_sandbox, argument) => argument,
  module_exists: () => 'true',
  global_getvar(sandbox, argument) {
    const values = globals(sandbox)
    const name = argument.trim()
    if (name) return values[name] ?? ''
    return Object.entries(values)
      .map((pair) => `${pair.join('=')}\n`)
      .join('')
  },
  /** With a third part it is set only where its value is that one; a variable that is not set has none. */
  global_setvar(sandbox, argument) {
    const [name = '', value = '', before = ''] = argument.trim().split('=')
    if (!name) return usage('<var>=<value> [=<value2>]')
    if (before && sandbox.globals.get(name) !== before) return '+OK'
    if (value) sandbox.globals.set(name, value)
    else sandbox.globals.delete(name)
    return '+OK'
  },
  /** The installer's health check looks for the profile's URL. */
  sofia(_sandbox, argument) {
    if (!/^status profile edge\b/.test(argument)) return 'Invalid Profile!\n'
    return 'Name             \tedge\nContext          \tedge\nURL              \tsip:simulated@127.0.0.1\n'
  },
  async fsctl(sandbox, argument) {
    const [verb, ...rest] = argument.trim().split(/ +/)
    if (verb === 'sps') return '+OK sessions per second: 1000\n'
    if (verb === 'max_sessions') return `+OK max sessions: ${maxSessions}\n`
    if (verb === 'api_expansion') return '+OK api_expansion is off \n'
    if (verb === 'hupall') return hangUpCommands['hupall']?.(sandbox, rest.join(' ')) ?? ''
    return usage('[api_expansion [on|off]|hupall|max_sessions|sps] (the sandbox knows no more)')
  },
}

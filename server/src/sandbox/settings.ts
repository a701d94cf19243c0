/** The sandbox process's settings, from the environment. */
import { readFileSync } from 'node:fs'

export interface SandboxSettings {
  host: string
  port: number
  password: string
  /** Path of the journal of ended channels; '' for none. */
  journal: string
  /** Kamailio's private address, from which calls seem to come in. */
  edgeHost: string
  /** TCP port of the SMSC on 127.0.0.1, 0 for a free one; null for none. */
  smppPort: number | null
}

/**
 * JACKFIELD_SWITCH_HOST [127.0.0.1], _PORT [8021], _PASSWORD or _PASSWORD_FILE, _JOURNAL [''],
 * JACKFIELD_EDGE_SIP_HOST [127.0.0.2] and JACKFIELD_SANDBOX_SMPP_PORT [none]; each may also be the path of a file that holds it (`…_FILE`).
 * @throws {Error} that names what is wrong
 */
export function sandboxSettings(environment: NodeJS.ProcessEnv): SandboxSettings {
  const read = (name: string, fallback: string): string => {
    const file = environment[`${name}_FILE`]
    return environment[name] || (file ? readFileSync(file, 'utf8').trim() : fallback)
  }
  const portOf = (name: string, fallback: string): number => {
    const port = Number(read(name, fallback))
    if (!Number.isInteger(port) || port < 0 || port > 65535) throw new Error(`${name} is not a TCP port`)
    return port
  }
  const port = portOf('JACKFIELD_SWITCH_PORT', '8021')
  const hasSmsc = read('JACKFIELD_SANDBOX_SMPP_PORT', '') !== ''
  const password = read('JACKFIELD_SWITCH_PASSWORD', '')
  if (!password || /[\r\n]/.test(password)) {
    throw new Error('JACKFIELD_SWITCH_PASSWORD (or JACKFIELD_SWITCH_PASSWORD_FILE) must hold one line')
  }
  return {
    host: read('JACKFIELD_SWITCH_HOST', '127.0.0.1'),
    port,
    password,
    journal: read('JACKFIELD_SWITCH_JOURNAL', ''),
    edgeHost: read('JACKFIELD_EDGE_SIP_HOST', '127.0.0.2'),
    smppPort: hasSmsc ? portOf('JACKFIELD_SANDBOX_SMPP_PORT', '') : null,
  }
}

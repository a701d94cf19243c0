/** The local appliance, as `npm run up` describes it in var/appliance.json. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { Errors } from '@oclif/core'

/** An API and how to connect to it. */
export interface Connection {
  /** `http://host:port` or `https://…`, without a workspace. */
  http: string
  baseDomain: string
  credential: { apiKey: string } | { operatorToken: string }
  /** Whether the appliance runs on the sandbox; unknown for a remote one. */
  sandbox?: boolean
  /** The SMSC of its sandbox. */
  smsc?: SmscAddress | null
}

/** Event Socket of the switch. */
export interface EventSocketAddress {
  host: string
  port: number
  password: string
}

/** SMPP address. */
export interface SmscAddress {
  host: string
  port: number
  system_id: string
  password: string
}

interface ApplianceFile {
  http: string
  base_domain: string
  operator_token_file: string
  switch: 'freeswitch' | 'sandbox'
  event_socket: { host: string; port: number; password_file: string }
  smpp: SmscAddress | null
}

/** The appliance of `JACKFIELD_HOME`, or of the current checkout; null if there is none. */
export function localAppliance(from = process.cwd()): Connection | null {
  const file = read(from)
  if (!file) return null
  const operatorToken = secretIn(file.operator_token_file, 'The operator’s token')
  return {
    http: file.http,
    baseDomain: file.base_domain,
    credential: { operatorToken },
    sandbox: file.switch === 'sandbox',
    smsc: file.smpp,
  }
}

/** The Event Socket of the local appliance's sandbox; null if there is none. */
export function localSandbox(from = process.cwd()): EventSocketAddress | null {
  const file = read(from)
  if (file?.switch !== 'sandbox') return null
  const { host, port, password_file } = file.event_socket
  return { host, port, password: secretIn(password_file, 'The switch’s password') }
}

function read(from: string): ApplianceFile | null {
  const path = applianceFile(from)
  return path === null ? null : (JSON.parse(readFileSync(path, 'utf8')) as ApplianceFile)
}

function secretIn(path: string, what: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    const reason = (error as Error).message
    throw new Errors.CLIError(
      `${what} is not readable (${reason}): run this as who ran npm run up, or jackfield login`,
      { exit: 1 },
    )
  }
}

function applianceFile(from: string): string | null {
  const home = process.env['JACKFIELD_HOME']
  const candidates = home ? [resolve(home)] : ancestors(from).map((folder) => join(folder, 'var'))
  return candidates.map((folder) => join(folder, 'appliance.json')).find((path) => existsSync(path)) ?? null
}

function ancestors(folder: string): string[] {
  const parent = dirname(folder)
  return parent === folder ? [folder] : [folder, ...ancestors(parent)]
}

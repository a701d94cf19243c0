/** The local appliance, as `npm run up` describes it in var/appliance.json. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { Errors } from '@oclif/core'

/** How to reach an API. */
export interface Connection {
  /** `http://host:port` or `https://…`, without a workspace. */
  http: string
  baseDomain: string
  credential: { apiKey: string } | { operatorToken: string }
  /** Whether the appliance runs on the sandbox; unknown of one that is not local. */
  sandbox?: boolean
}

interface ApplianceFile {
  http: string
  base_domain: string
  operator_token_file: string
  switch: 'freeswitch' | 'sandbox'
}

/** The appliance of `JACKFIELD_HOME`, or of the checkout that one stands in; null when there is none. */
export function localAppliance(from = process.cwd()): Connection | null {
  const path = applianceFile(from)
  if (!path) return null
  const file = JSON.parse(readFileSync(path, 'utf8')) as ApplianceFile
  const operatorToken = operatorTokenIn(file.operator_token_file)
  return {
    http: file.http,
    baseDomain: file.base_domain,
    credential: { operatorToken },
    sandbox: file.switch === 'sandbox',
  }
}

function operatorTokenIn(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    const reason = (error as Error).message
    throw new Errors.CLIError(
      `The operator’s token is not readable (${reason}): run this as who ran npm run up, or jackfield login`,
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

/**
 * Configuration: the settings, read from the environment and an optional JSON file.
 *
 * A setting `http.port` is read from `JACKFIELD_HTTP_PORT`, else from the file that
 * `JACKFIELD_CONFIG` names (`{"http": {"port": 8080}}`), else its default. A secret may also be
 * given as a file's path: `JACKFIELD_SECRET_KEY_FILE`. The server refuses to start with a list of
 * every setting that is wrong, each named with its rule.
 */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { calls } from './settings/calls.js'
import { Setting } from './settings/kinds.js'
import { platform } from './settings/platform.js'
import { telephony } from './settings/telephony.js'
import { upkeep } from './settings/upkeep.js'
import { workspaces } from './settings/workspaces.js'

/** All settings; `npm run reference` lists them for operators. */
export const settings = { ...platform, ...telephony, ...calls, ...workspaces, ...upkeep } as const

type Read<T> = T extends Setting<infer V> ? V : { readonly [K in keyof T]: Read<T[K]> }

/** All settings, read and checked. `operator_token` and `secret_key` are secrets. */
export type Config = Read<typeof settings>

/** Thrown when settings are wrong; `problems` has one line a setting. */
export class ConfigError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'))
  }
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads all settings.
 * @throws {ConfigError} naming every setting that is missing or breaks its rule
 */
export function readConfig(environment: Environment = process.env): Config {
  const problems: string[] = []
  const file = readConfigFile(environment['JACKFIELD_CONFIG'], problems)
  const config = readGroup(settings, [], file, environment, problems)
  if (problems.length > 0) throw new ConfigError(problems)
  const checked = config as Config
  const { http, stir, media, recordings, mail, base_domain } = checked
  // Commands of the switch end a path at a blank.
  if (/\s/.test(resolve(media.directory))) {
    throw new ConfigError([
      `${environmentName(['media', 'directory'])} (media.directory) must be a path without blanks: ${resolve(media.directory)}`,
    ])
  }
  if (recordings.s3_bucket && !(recordings.s3_access_key && recordings.s3_secret_key)) {
    throw new ConfigError([
      'JACKFIELD_RECORDINGS_S3_ACCESS_KEY and JACKFIELD_RECORDINGS_S3_SECRET_KEY are needed with JACKFIELD_RECORDINGS_S3_BUCKET',
    ])
  }
  if (mail.host && !mail.from) {
    throw new ConfigError(['JACKFIELD_MAIL_FROM is needed with JACKFIELD_MAIL_HOST'])
  }
  if (http.tls_port > 0 && !(http.tls_certificate_file && http.tls_key_file)) {
    throw new ConfigError([
      'JACKFIELD_HTTP_TLS_CERTIFICATE_FILE and JACKFIELD_HTTP_TLS_KEY_FILE are needed with JACKFIELD_HTTP_TLS_PORT',
    ])
  }
  const signing = [stir.certificate_file, stir.key_file, stir.certificate_url]
  if (signing.some(Boolean) && !signing.every(Boolean)) {
    throw new ConfigError([
      'JACKFIELD_STIR_CERTIFICATE_FILE, JACKFIELD_STIR_KEY_FILE and JACKFIELD_STIR_CERTIFICATE_URL are needed together',
    ])
  }
  const unbounded = brokenBounds(checked.retention)
  if (unbounded.length > 0) throw new ConfigError(unbounded)
  const public_url = http.public_url || originOf(http, base_domain)
  return {
    ...checked,
    http: { ...http, public_url },
    mail: { ...mail, reset_url: mail.reset_url || `${public_url}/reset-password#{token}` },
    media: { ...media, directory: resolve(media.directory) },
    recordings: { ...recordings, directory: recordings.directory && resolve(recordings.directory) },
  }
}

/** Bounds of retention that leave no days between them. */
function brokenBounds(retention: Config['retention']): string[] {
  const kinds = ['calls', 'messages', 'recordings', 'ledger', 'webhook_deliveries', 'audit_log'] as const
  return kinds.flatMap((kind) => {
    const [min, max] = [retention[`${kind}_min_days`], retention[`${kind}_max_days`]]
    if (max === 0 || min <= max) return []
    const name = (bound: string) => environmentName(['retention', `${kind}_${bound}_days`])
    return [`${name('max')} must be 0, or at least ${name('min')} (${min})`]
  })
}

/** Origin of workspaces without a proxy in front. */
function originOf({ port, tls_port }: Config['http'], baseDomain: string): string {
  if (tls_port === 0) return `http://{workspace}.${baseDomain}:${port}`
  return `https://{workspace}.${baseDomain}${tls_port === 443 ? '' : `:${tls_port}`}`
}

/** The environment variable of a setting: `['http', 'port']` → `JACKFIELD_HTTP_PORT`. */
function environmentName(path: readonly string[]): string {
  return `JACKFIELD_${path.join('_').toUpperCase()}`
}

function readConfigFile(path: string | undefined, problems: string[]): unknown {
  if (!path) return {}
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    problems.push(`JACKFIELD_CONFIG: cannot read ${path}: ${(error as Error).message}`)
    return {}
  }
}

function readGroup(
  group: object,
  path: readonly string[],
  file: unknown,
  environment: Environment,
  problems: string[],
): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  const fileGroup = typeof file === 'object' && file !== null ? (file as Record<string, unknown>) : {}
  for (const [name, entry] of Object.entries(group) as [string, Setting<unknown> | object][]) {
    const here = [...path, name]
    result[name] =
      entry instanceof Setting
        ? readSetting(entry, here, fileGroup[name], environment, problems)
        : readGroup(entry, here, fileGroup[name], environment, problems)
  }
  return result
}

function readSetting(
  entry: Setting<unknown>,
  path: readonly string[],
  inFile: unknown,
  environment: Environment,
  problems: string[],
): unknown {
  const name = environmentName(path)
  const given = environment[name] ?? readSecretFile(environment[`${name}_FILE`], name, problems)
  const value =
    given ?? (inFile === undefined || typeof inFile === 'string' ? inFile : JSON.stringify(inFile))
  if (value === undefined) {
    if (entry.fallback === undefined) problems.push(`${name} (${path.join('.')}) is missing: ${entry.help}`)
    return entry.fallback
  }
  const read = entry.read(value)
  if (read === undefined) problems.push(`${name} (${path.join('.')}) must be ${entry.rule}`)
  return read
}

function readSecretFile(path: string | undefined, name: string, problems: string[]): string | undefined {
  if (!path) return undefined
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    problems.push(`${name}_FILE: cannot read ${path}: ${(error as Error).message}`)
    return undefined
  }
}

/** The flags of `jackfield install`, and prompts for those that are not given. */
import { networkInterfaces } from 'node:os'
import { parseArgs } from 'node:util'
import { Failure, messageOf } from '../failure.mjs'
import { SETTINGS } from '../settings.mjs'

/**
 * @typedef {keyof typeof SETTINGS} SettingName
 *
 * @typedef {object} Question a setting of the installation
 * @property {SettingName} setting
 * @property {string} message
 * @property {(answers: Record<string, string>) => string} [fallback] the default; without
 *   it the setting is required
 * @property {boolean} [quiet] set only by its flag, never by a prompt
 */

/** By flag, in the order of the prompts. @type {Record<string, Question>} */
export const QUESTIONS = {
  'base-domain': {
    setting: 'base_domain',
    message: 'Domain of this platform (workspaces become <workspace>.<domain>)',
  },
  'sip-domain': {
    setting: 'edge.sip_domain',
    message: 'Domain of SIP accounts (phones register with <workspace>.<domain>)',
    fallback: (answers) => `sip.${answers['base_domain']}`,
  },
  'external-ip': {
    setting: 'sip.host',
    message: 'Address at which carriers and phones reach this machine',
    fallback: ownAddress,
  },
  'listen-ip': {
    setting: 'sip.listen_host',
    message: 'Address of this machine, where that is a router’s with 1:1 NAT',
    fallback: (answers) => (ownAddresses().includes(answers['sip.host'] ?? '') ? '' : ownAddress()),
    quiet: true,
  },
  'certificate-file': {
    setting: 'tls.certificate_file',
    message: 'PEM file of a certificate, with those between',
    fallback: () => '',
    quiet: true,
  },
  'key-file': { setting: 'tls.key_file', message: 'PEM file of its key', fallback: () => '', quiet: true },
  acme: {
    setting: 'tls.acme',
    message: 'Fetch certificates from Let’s Encrypt, and renew them',
    fallback: () => 'false',
  },
  email: {
    setting: 'tls.acme_email',
    message: 'Address that Let’s Encrypt writes to',
    fallback: () => '',
    quiet: true,
  },
  'dns-hook': {
    setting: 'tls.dns_hook',
    message: 'Program that publishes TXT records, for a wildcard certificate',
    fallback: () => '',
    quiet: true,
  },
  'tls-port': {
    setting: 'http.tls_port',
    message: 'TCP port of HTTPS; 0: none',
    fallback: (answers) => (answers['tls.acme'] === 'true' || answers['tls.certificate_file'] ? '443' : '0'),
    quiet: true,
  },
  'http-port': { setting: 'http.port', message: 'TCP port of HTTP', fallback: () => '80', quiet: true },
  'rtp-start': {
    setting: 'rtp.start',
    message: 'First UDP port of audio',
    fallback: () => String(SETTINGS['rtp.start'].fallback),
    quiet: true,
  },
  'rtp-end': {
    setting: 'rtp.end',
    message: 'Last UDP port of audio',
    fallback: () => String(SETTINGS['rtp.end'].fallback),
    quiet: true,
  },
}

/** @returns {string[]} this machine's routable addresses */
function ownAddresses() {
  const addresses = Object.values(networkInterfaces()).flatMap((all) => all ?? [])
  const known = addresses.filter(({ internal, family }) => !internal && family === 'IPv4')
  return [...known.map((one) => one.address), '127.0.0.1']
}

/** The first of them. */
export function ownAddress() {
  return ownAddresses()[0] ?? ''
}

/** Flags for paths. */
export const PLACES = {
  user: 'jackfield',
  'config-directory': '/etc/jackfield',
  'state-directory': '/var/lib/jackfield',
  'unit-directory': '/etc/systemd/system',
  'program-directory': '/usr/local/bin',
}

/** @param {SettingName} setting */
function hintOf(setting) {
  return SETTINGS[setting].fallback === false ? ': true or false' : ''
}

/** Its flags, as `--help` lists them. @type {[string, string][]} */
export const SETUP_HELP = [
  ...Object.entries(QUESTIONS).map(([flag, { setting, message }]) =>
    flagHelp(flag, message + hintOf(setting)),
  ),
  ['--yes', 'Ask nothing: what is not given is as it was, or its default'],
  ['--uninstall', 'Stop it and remove its unit; settings, state and user are kept'],
  ...Object.entries(PLACES).map(([flag, fallback]) => flagHelp(flag, `[${fallback}]`)),
]

/** @param {string} flag @param {string} text @returns {[string, string]} */
function flagHelp(flag, text) {
  return [`--${flag}`, text]
}

/**
 * @param {string[]} args
 * @returns {{given: Record<string, string>, yes: boolean, uninstall: boolean, places: typeof PLACES}}
 *   `given` has values by the name of the setting, checked
 * @throws {Failure} naming the invalid flag, and its rule
 */
export function readFlags(args) {
  const text = /** @type {const} */ ({ type: 'string' })
  const yesNo = /** @type {const} */ ({ type: 'boolean', default: false })
  const names = [...Object.keys(QUESTIONS), ...Object.keys(PLACES)]
  const options = {
    ...Object.fromEntries(names.map((name) => [name, text])),
    ...{ yes: yesNo, uninstall: yesNo },
  }
  /** @type {Record<string, string | boolean | undefined>} */
  let values
  try {
    values = parseArgs({ args, options, allowPositionals: false }).values
  } catch (error) {
    throw new Failure(`${messageOf(error).replace(/\. .*/s, '')}: see --help`)
  }
  const given = Object.entries(QUESTIONS).flatMap(([flag, { setting }]) => {
    const value = values[flag]
    if (typeof value !== 'string') return []
    const problem = problemWith(setting, value)
    if (problem) throw new Failure(`--${flag} ${problem}`)
    return [[setting, value]]
  })
  const places = Object.fromEntries(
    Object.entries(PLACES).map(([name, fallback]) => [name, String(values[name] ?? fallback)]),
  )
  return {
    given: Object.fromEntries(given),
    yes: values['yes'] === true,
    uninstall: values['uninstall'] === true,
    places: /** @type {typeof PLACES} */ (places),
  }
}

/**
 * @param {SettingName} setting
 * @param {string} value
 * @returns {string} the rule that the value breaks; '' if it is valid
 */
export function problemWith(setting, value) {
  const { read, rule } = SETTINGS[setting]
  return read(value) === undefined ? `must be ${rule}, not "${value}"` : ''
}

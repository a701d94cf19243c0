/** Kinds of settings of the installer: parsing, and the rule for error messages. */
import { isIP } from 'node:net'

/**
 * @template T
 * @typedef {object} Setting
 * @property {string} help
 * @property {string} rule
 * @property {T} fallback
 * @property {(text: string) => T | undefined} read the value, or undefined if it breaks the rule
 */

/**
 * @param {string} help
 * @param {string} fallback
 * @returns {Setting<string>}
 */
export const text = (help, fallback) => ({ help, fallback, rule: 'a text', read: (value) => value })

/**
 * @param {string} help
 * @param {string} fallback
 * @returns {Setting<string>}
 */
export const address = (help, fallback) => ({
  help,
  fallback,
  rule: 'an IP address of this machine (0.0.0.0 is none)',
  read: (value) => (isIP(value) && value !== '0.0.0.0' && value !== '::' ? value : undefined),
})

/**
 * @param {string} help
 * @returns {Setting<string>}
 */
export const ownAddress = (help) => {
  const { rule, read } = address(help, '')
  return { help, fallback: '', rule, read: (value) => (value === '' ? value : read(value)) }
}

/**
 * @param {number} min
 * @param {number} max
 * @param {string} help
 * @param {number} fallback
 * @returns {Setting<number>}
 */
export const integer = (min, max, help, fallback) => ({
  help,
  fallback,
  rule: `a whole number from ${min} to ${max}`,
  read: (value) =>
    /^\d{1,9}$/.test(value) && Number(value) >= min && Number(value) <= max ? Number(value) : undefined,
})

/**
 * @param {string} help
 * @param {number} fallback
 */
export const port = (help, fallback) => integer(1, 65535, help, fallback)

/**
 * @template {string} T
 * @param {readonly T[]} values
 * @param {string} help
 * @param {T} fallback
 * @returns {Setting<T>}
 */
export const choice = (values, help, fallback) => ({
  help,
  fallback,
  rule: `one of ${values.join(', ')}`,
  read: (value) => values.find((known) => known === value),
})

/**
 * @param {string} help
 * @param {boolean} fallback
 * @returns {Setting<boolean>}
 */
export const flag = (help, fallback) => ({
  help,
  fallback,
  rule: 'true or false',
  read: (value) => ({ true: true, false: false })[value],
})

/**
 * @param {string} help
 * @param {string} fallback
 * @returns {Setting<string>}
 */
export const domain = (help, fallback) => ({
  help,
  fallback,
  rule: 'a domain name in lower case',
  read: (value) => (/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(value) ? value : undefined),
})

/**
 * @param {string} help
 * @returns {Setting<string>}
 */
export const addressesAndPorts = (help) => ({
  help,
  fallback: '',
  rule: 'IP addresses with a port each and commas between them: 10.0.0.12:5060,[2001:db8::2]:5060',
  read: (value) => {
    const entries = value.split(',').map((entry) => entry.trim())
    const areGood = entries.every((entry) => {
      const [, six, four] = /^(?:\[(.+)\]|([\d.]+)):\d{1,5}$/.exec(entry) ?? []
      return isIP(six ?? four ?? '') > 0
    })
    return value === '' || areGood ? entries.filter(Boolean).join(',') : undefined
  },
})

/** Parameters of a JSON schema as rows of a table. */
import { code, codes, prose } from './markdown.mjs'

/**
 * @typedef {object} Schema the parts of a JSON schema that actions and nodes use
 * @property {string | string[]} [type]
 * @property {readonly (string | number)[]} [enum]
 * @property {string} [description]
 * @property {number} [minimum]
 * @property {number} [maximum]
 * @property {number} [minLength]
 * @property {number} [maxLength]
 * @property {number} [minItems]
 * @property {number} [maxItems]
 * @property {number} [maxProperties]
 * @property {Schema} [items]
 * @property {Readonly<Record<string, Schema>>} [properties]
 * @property {readonly string[]} [required]
 * @property {string} [title]
 * @property {string} [format]
 * @property {string} [x-rule]
 * @property {string} [x-reference]
 */

/** What a reference leads to. @type {Readonly<Record<string, string>>} */
const nouns = {
  agent: 'id of an agent',
  audio: 'id of an audio',
  extension: 'id of an extension',
  outbound_gateway: 'id of an outbound gateway',
  phone_number: 'number of the workspace',
  team: 'id of a team',
  voice_agent: 'id of a voice agent',
}

export const parameterHeadings = ['parameter', 'value', 'required', 'meaning']

/**
 * @param {Schema} schema of an object
 * @param {string} [path] where it stands
 * @param {readonly string[]} [requiredOutbound] parameters that scripts for outbound calls must have
 * @returns {string[][]}
 */
export function parameterRows(schema, path = '', requiredOutbound = []) {
  const { properties = {}, required = [] } = schema
  return Object.entries(properties).flatMap(([name, one]) => {
    const here = path + name
    const needs = required.includes(name) ? 'yes' : requiredOutbound.includes(name) ? 'on outbound calls' : ''
    return [
      [code(here), prose(valueOf(one)), needs, prose(one.description ?? '')],
      ...(one.type === 'object' ? parameterRows(one, `${here}.`) : []),
      ...(one.items && !one.items.title ? parameterRows(one.items, `${here}[].`) : []),
    ]
  })
}

/** @param {Schema} schema @returns {string} */
function valueOf(schema) {
  const { type, minimum, maximum, items, 'x-rule': rule, 'x-reference': kind } = schema
  if (schema.enum) return codes(schema.enum.map(String))
  if (kind !== undefined) return `${named(kind)}${Array.isArray(type) ? ', or an object' : ''}`
  if (items)
    return `list of ${range(schema.minItems, schema.maxItems)}${items.title === 'CallAction' ? ' actions' : ''}`
  if (schema.format !== undefined) return schema.format
  if (type === 'boolean') return '`true` or `false`'
  if (type === 'object') return schema.properties ? 'object' : `object of up to ${schema.maxProperties} texts`
  if (type === 'integer') return `whole number, ${range(minimum, maximum)}`
  if (type === 'number') return `number, ${range(minimum, maximum)}`
  if (rule !== undefined && !/well-formed|control characters/.test(rule)) return rule
  return `text of ${range(schema.minLength, schema.maxLength)} characters`
}

/** @param {string} kind */
function named(kind) {
  const noun = nouns[kind]
  if (noun === undefined) throw new Error(`installer/reference/parameters.mjs has no noun for ${kind}`)
  return noun
}

/** @param {number | undefined} from @param {number | undefined} to */
function range(from = 0, to) {
  if (to === undefined) return `${from} or more`
  return from === 0 ? `up to ${to}` : `${from} to ${to}`
}

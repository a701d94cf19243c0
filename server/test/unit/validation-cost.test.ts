/**
 * What it costs to look at a body: for each place of each schema that outsiders fill in, large values of every shape at two
 * sizes. Time that grows faster than the size fails. It is the processor time of this process, of several turns the least.
 */
import { expect } from 'chai'
import type { TSchema } from 'typebox'
import { findAction } from '../../src/features/calls/script/actions/index.js'
import { nodeTypes } from '../../src/features/call-flows/nodes/index.js'
import { ValidationError } from '../../src/infrastructure/http/errors.js'
import { bodyLimit, mostBytes } from '../../src/infrastructure/http/body-limit.js'
import { type Validator, bodyValidator } from '../../src/infrastructure/http/validation.js'
import { builtDocument, operationsOf, placesOf, replaced } from '../api/operations.js'

type Json = Record<string, any>

const document = builtDocument()

/** Parts of a large value, and how many times as large the larger one is. */
const parts = 2_500
const growth = 4

/** A pass of so few milliseconds is no harm, however it grew: with the square it would have taken seconds. */
const harmlessMs = 25

/** Growth that is taken for linear, with room for what a busy machine adds. */
const mostGrowth = 3 * growth

const shapes: Record<string, (length: number) => unknown> = {
  'many numbers': (length) => Array.from({ length }, (_, index) => index),
  'many objects': (length) => Array.from({ length }, (_, a) => ({ a })),
  'many empty objects': (length) => Array.from({ length }, () => ({})),
  'many strings': (length) => Array.from({ length }, (_, index) => `x${index}`),
  'many keys': (length) => Object.fromEntries(Array.from({ length }, (_, index) => [`key${index}`, index])),
  'many nulls': (length) => Object.fromEntries(Array.from({ length }, (_, index) => [`key${index}`, null])),
  'nested lists': (length) => JSON.parse('['.repeat(length) + ']'.repeat(length)) as unknown,
  'one long string': (length) => 'a'.repeat(40 * length),
}

/** Texts that make patterns look back, where they do. */
const texts = ['a', '0', ' ', '-', '.', '!', 'a-', 'a.', 'a@', '0 ', '+1', '%41', '\\', '"', 'é', '😀']

describe('the cost of validation', function () {
  this.timeout(60_000)

  for (const { name, body } of operationsOf(document)) {
    if (!body) continue
    it(`grows with the body of ${name} and no faster`, () => {
      const schema = dereferenced(body) as TSchema
      const check = bodyValidator(schema)
      holdAllPlaces(check, body)
    })
  }

  for (const [what, schema] of looseSchemas()) {
    it(`grows with the parameters of ${what} and no faster`, () => {
      const check = bodyValidator(schema)
      holdAllPlaces(check, schema)
    })
  }

  it('grows with a text and no faster, whatever pattern it is held to', () => {
    const patterns = new Set([
      ...patternsOf(document),
      ...[...looseSchemas()].flatMap(([, one]) => patternsOf(one)),
    ])
    expect(patterns.size).to.be.greaterThan(20)
    for (const pattern of patterns) {
      const regex = new RegExp(pattern, 'u')
      for (const text of texts) {
        for (const end of ['', '\u0000']) {
          const made = (length: number) => text.repeat(8 * length) + end
          holdToLinear(`${pattern} against ${JSON.stringify(text)}`, made, (value) =>
            regex.test(value as string),
          )
        }
      }
    }
  })

  it('has bodies that fit, and takes all that the schema does however it is written', () => {
    for (const { name, body } of operationsOf(document)) {
      if (!body) continue
      const schema = dereferenced(body) as TSchema
      const limit = bodyLimit(schema)
      expect(limit, name).to.be.within(16_384, mostBytes)
      const largest = JSON.stringify(largestOf(schema), null, 2).replaceAll('😀', '\\ud83d\\ude00')
      if (limit < mostBytes) expect(largest.length, name).to.be.at.most(limit)
    }
    const login = operationsOf(document).find(({ name }) => name === 'POST /auth/login')
    expect(bodyLimit(dereferenced(login!.body) as TSchema)).to.be.at.most(64_000)
  })
})

function holdAllPlaces(check: Validator, schema: Json): void {
  for (const { path } of [{ path: [] }, ...placesOf(document, schema)]) {
    for (const [shape, make] of Object.entries(shapes)) {
      const filled = (length: number) => replaced({}, path, make(length))
      holdToLinear(`${path.join('.')}: ${shape}`, filled, (value) => refusal(check, value))
    }
  }
}

function refusal(check: Validator, value: unknown): void {
  try {
    check(value)
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error
    expect(error.errors.length).to.be.within(1, 50)
  }
}

function holdToLinear(what: string, make: (length: number) => unknown, work: (value: unknown) => void): void {
  if (leastMs(1, make(growth * parts), work) < harmlessMs) return
  const large = leastMs(4, make(growth * parts), work)
  if (large < harmlessMs) return
  const small = leastMs(4, make(parts), work)
  expect(
    large / Math.max(small, 1),
    `${what}: ${small} ms, and ${large} ms for ${growth} times as much`,
  ).to.be.below(mostGrowth)
}

function leastMs(turns: number, value: unknown, work: (value: unknown) => void): number {
  return Math.min(
    ...Array.from({ length: turns }, () => {
      const before = process.cpuUsage()
      work(value)
      const { user, system } = process.cpuUsage(before)
      return (user + system) / 1_000
    }),
  )
}

/** Schemas that no operation's document shows: parameters of actions and of nodes of flows. */
function* looseSchemas(): Generator<[string, TSchema]> {
  const names = [
    'play',
    'tts',
    'ivr',
    'recording',
    'voicemail',
    'to_operator',
    'hangup',
    'connect_agent',
    'stream',
  ]
  for (const name of [...names, 'connect_team', 'connect_voice_agent', 'connect_client']) {
    const action = findAction(name)
    if (action) yield [`the action ${name}`, action.params]
  }
  for (const { type, params } of nodeTypes.values()) yield [`the node ${type}`, params]
}

function dereferenced(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(dereferenced)
  if (typeof schema !== 'object' || schema === null) return schema
  const { $ref } = schema as { $ref?: string }
  if ($ref) return dereferenced((document['components'] as Json)['schemas'][$ref.split('/').at(-1)!])
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, dereferenced(value)]))
}

function patternsOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { pattern } = schema as { pattern?: unknown }
  return [...(typeof pattern === 'string' ? [pattern] : []), ...Object.values(schema).flatMap(patternsOf)]
}

/** As large as the schema allows, where it says. */
function largestOf(schema: Json): unknown {
  if (schema['enum']) return (schema['enum'] as unknown[])[0]
  const [type] = [schema['type']].flat() as (string | undefined)[]
  switch (type) {
    case 'string':
      return '😀'.repeat(Number(schema['maxLength'] ?? 1))
    case 'array':
      return Array.from({ length: Number(schema['maxItems'] ?? 1) }, () =>
        largestOf((schema['items'] ?? {}) as Json),
      )
    case 'object':
      return Object.fromEntries(
        Object.entries((schema['properties'] ?? {}) as Json).map(([key, one]) => [
          key,
          largestOf(one as Json),
        ]),
      )
    default:
      return 1_234_567.123_456
  }
}

/** Body fields and their flags: declared once for a resource, used by create and set. */
import { Flags, type Interfaces } from '@oclif/core'
import { ask, choose } from './ask.js'
import { amountOf, commaSeparated } from './texts.js'
import { pairOf } from './texts.js'

type FlagInput = Interfaces.FlagInput
type FlagValues = Record<string, unknown>

/** One field of a body. */
export interface Field<Name extends string = string> {
  /** Path in the body: `settings.host` is nested. */
  name: Name
  /** Its flags, from the main flag's name. */
  flags(flag: string): FlagInput
  /** Its value from the flags; undefined omits it. With `lacking`, prompts for it or fails. */
  read(values: FlagValues, flag: string, lacking: boolean): Promise<unknown>
  /** Whether a create requires it. */
  required: boolean
}

/** Fields by their flag. */
export type Fields<Name extends string> = Record<string, Field<Name>>

export interface TextOptions {
  /** Prompt of a required field. */
  ask?: string
  helpValue?: string
  helpGroup?: string
}

/** Flag value that clears a field. */
const nothing = 'none'

/** A text. */
export function text<N extends string>(name: N, description: string, options: TextOptions = {}): Field<N> {
  return textual(name, description, options, (value) => value)
}

/** A text that `none` clears. */
export function optionalText<N extends string>(
  name: N,
  description: string,
  options: TextOptions = {},
): Field<N> {
  return textual(name, `${description}; ${nothing} takes it away`, options, (value) =>
    value === nothing ? null : value,
  )
}

/** A comma-separated list; `none` empties it. */
export function list<N extends string>(name: N, description: string, options: TextOptions = {}): Field<N> {
  const described = `${description}, comma separated`
  return textual(name, described, { helpValue: '<list>', ...options }, (value) =>
    value === nothing ? [] : commaSeparated(value),
  )
}

/** A number. */
export function number<N extends string>(name: N, description: string, options: TextOptions = {}): Field<N> {
  return textual(name, description, { helpValue: '<number>', ...options }, (value, flag) =>
    amountOf(`--${flag}`, value),
  )
}

/** A number that `none` clears; `otherwise` then applies. */
export function optionalNumber<N extends string>(
  name: N,
  description: string,
  otherwise = 'as the operator’s settings say',
): Field<N> {
  const described = `${description}; ${nothing}: ${otherwise}`
  return textual(name, described, { helpValue: '<number>' }, (value, flag) =>
    value === nothing ? null : amountOf(`--${flag}`, value),
  )
}

/** A comma-separated list of what is allowed; `none` clears the list, which allows all. */
export function optionalList<N extends string>(name: N, description: string): Field<N> {
  const described = `${description}, comma separated; ${nothing} takes the list away: all`
  return textual(name, described, { helpValue: '<list>' }, (value) =>
    value === nothing ? null : commaSeparated(value),
  )
}

/** Several texts, one for each use of the flag. */
export function texts<N extends string>(
  name: N,
  description: string,
  convert: (values: readonly string[], flag: string) => unknown,
  { ask: question }: TextOptions = {},
): Field<N> {
  return {
    name,
    required: question !== undefined,
    flags: (flag) => ({ [flag]: Flags.string({ description, multiple: true, multipleNonGreedy: true }) }),
    async read(values, flag, lacking) {
      const given = values[flag] as string[] | undefined
      if (given === undefined && !lacking) return undefined
      return convert(given ?? [await ask(undefined, `--${flag}`, question ?? flag)], flag)
    },
  }
}

/** One of a few values; `none` clears it. */
export function optionalChoice<N extends string>(
  name: N,
  description: string,
  options: readonly string[],
): Field<N> {
  const one = choice(name, description, [...options, nothing])
  return {
    ...one,
    async read(values, flag, lacking) {
      const value = await one.read(values, flag, lacking)
      return value === nothing ? null : value
    },
  }
}

/** One of a few values. `otherwise` is the default of a create. */
export function choice<N extends string>(
  name: N,
  description: string,
  options: readonly string[],
  { ask: question, helpGroup, otherwise }: TextOptions & { otherwise?: string } = {},
): Field<N> {
  return {
    name,
    required: question !== undefined || otherwise !== undefined,
    flags: (flag) => ({
      [flag]: Flags.option({ options, description, ...(helpGroup && { helpGroup }) })(),
    }),
    async read(values, flag, lacking) {
      const given = values[flag] as string | undefined
      if (given !== undefined || !lacking) return given
      return otherwise ?? choose(given, `--${flag}`, question ?? flag, options)
    },
  }
}

/** `--flag` or `--no-flag`. */
export function yesNo<N extends string>(name: N, description: string, options: TextOptions = {}): Field<N> {
  const { helpGroup } = options
  return {
    name,
    required: false,
    flags: (flag) => ({
      [flag]: Flags.boolean({ description, allowNo: true, ...(helpGroup && { helpGroup }) }),
    }),
    read: async (values, flag) => values[flag],
  }
}

/** `<name>=<value>` pairs, which form one object. */
export function pairs<N extends string>(name: N, description: string): Field<N> {
  const described = `${description}, <name>=<value>; all together replace what there were`
  return texts(name, described, (values, flag) =>
    Object.fromEntries(values.map((value) => pairOf(`--${flag}`, value, 'name'))),
  )
}

/** A field with one flag and a text value. */
export function textual<N extends string>(
  name: N,
  description: string,
  { ask: question, helpValue, helpGroup }: TextOptions,
  convert: (value: string, flag: string) => unknown,
): Field<N> {
  return {
    name,
    required: question !== undefined,
    flags: (flag) => ({
      [flag]: Flags.string({
        description,
        ...(helpValue && { helpValue }),
        ...(helpGroup && { helpGroup }),
      }),
    }),
    async read(values, flag, lacking) {
      let value = values[flag] as string | undefined
      if (value === undefined && lacking) value = await ask(value, `--${flag}`, question ?? flag)
      return value === undefined ? undefined : convert(value, flag)
    },
  }
}

/** All flags of the fields. */
export function flagsOfFields(fields: Fields<string>): FlagInput {
  return Object.assign({}, ...Object.entries(fields).map(([flag, field]) => field.flags(flag))) as FlagInput
}

/** The body from the flags. With `complete`, prompts for missing required fields. */
export async function bodyOf(
  fields: Fields<string>,
  values: FlagValues,
  complete: boolean,
): Promise<Record<string, unknown>> {
  const body: Record<string, unknown> = {}
  // Sequentially: each may prompt.
  for (const [flag, field] of Object.entries(fields)) {
    const value = await field.read(values, flag, complete && field.required)
    if (value !== undefined) put(body, field.name.split('.'), value)
  }
  return body
}

function put(
  object: Record<string, unknown>,
  [name = '', ...within]: readonly string[],
  value: unknown,
): void {
  if (within.length === 0) {
    object[name] = value
    return
  }
  const inner = { ...(object[name] as Record<string, unknown> | undefined) }
  put(inner, within, value)
  object[name] = inner
}

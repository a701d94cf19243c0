/**
 * A kind of SMS carrier: its settings, how they are checked, how its link is made, and its form. Shapes of the API, sealing
 * of secrets, validation, the console's form and the flags of the command line follow from it.
 */
import Type, { type Static, type TObject, type TProperties, type TSchema } from 'typebox'
import type { Logger } from 'pino'
import type { Network } from '../../lib/networks.js'
import type { GuardedClient } from '../../infrastructure/http-client/guarded-client.js'
import type { CarrierForm } from './carrier-form.js'
import type { CarrierLink, LinkHolder } from './link.js'

/** A broken rule of one setting, whose path may have dots: `inbound.from`. */
export interface SettingProblem {
  readonly field: string
  /** Follows the name of the field: `must be …`. */
  readonly problem: string
}

/** What a link may use. */
export interface Connection {
  /** Submissions that may be unanswered at once. */
  readonly window: number
  /** Where HTTP requests may go. */
  readonly network: { readonly allowed_networks: readonly Network[]; readonly dns_servers: readonly string[] }
  readonly holder: LinkHolder
  readonly log: Logger
}

/** Names the rule of outgoing requests that a URL breaks. */
export type UrlRules = Pick<GuardedClient, 'brokenRule'>

type Fields = Readonly<Record<string, unknown>>

interface KindOptions<Kind extends string, Properties extends TProperties> {
  /** As the API, tables and command line name it. */
  readonly kind: Kind
  /** All settings with their defaults, secrets among them. Its title names the shown ones in the API. */
  readonly settings: TObject<Properties>
  /** Settings that are sealed at rest and never shown. */
  readonly secrets: readonly (string & keyof Properties)[]
  /** What the schema cannot say: all problems, or the first group of them. */
  check?(settings: Static<TObject<Properties>>, urls: UrlRules): readonly SettingProblem[]
  /** @throws when the settings are of no use */
  connect(settings: Static<TObject<Properties>>, connection: Connection): CarrierLink
  readonly form: CarrierForm
}

/** A kind whose settings are known as such. */
export interface CarrierKindOf<Kind extends string, Settings> extends AnyCarrierKind {
  readonly kind: Kind
  /** Stored settings, which were checked when they were stored. */
  read(settings: Fields): Settings
}

/** A kind among others: its settings are fields that {@link AnyCarrierKind.input} has checked. */
export interface AnyCarrierKind {
  readonly kind: string
  readonly input: TSchema
  /** The settings that the API shows. */
  readonly shown: TSchema
  readonly secrets: readonly string[]
  /** Defaults of shown settings. */
  readonly defaults: Fields
  readonly form: CarrierForm
  problems(settings: Fields, urls: UrlRules): readonly SettingProblem[]
  connect(settings: Fields, connection: Connection): CarrierLink
}

export function carrierKind<const Kind extends string, Properties extends TProperties>(
  options: KindOptions<Kind, Properties>,
): CarrierKindOf<Kind, Static<TObject<Properties>>> {
  const { kind, settings, secrets, form } = options
  const all: Readonly<Record<string, TSchema>> = settings.properties
  const isSecret = (name: string) => secrets.some((secret) => secret === name)
  const shown = Object.fromEntries(Object.entries(all).filter(([name]) => !isSecret(name)))
  const { title } = settings as { title?: string }
  const read = (fields: Fields) => fields as Static<TObject<Properties>>
  return {
    ...{ kind, secrets, form, read },
    input: Type.Object(mapped(all, omittable)),
    shown: Type.Object(shown, title === undefined ? {} : { title }),
    defaults: Object.fromEntries(
      Object.entries(shown).flatMap(([name, { default: preset }]: [string, Preset]) =>
        preset === undefined ? [] : [[name, preset]],
      ),
    ),
    problems: (fields, urls) => options.check?.(read(fields), urls) ?? [],
    connect: (fields, connection) => options.connect(read(fields), connection),
  }
}

type Preset = TSchema & { default?: unknown }

/**
 * Lets an object be left out if each of its fields has a default. Only input says so: generated clients take a default
 * for a whole value, so that those of hey-api would not compile, nor those of orval with a whole one.
 */
function omittable(schema: TSchema): TSchema {
  const { properties, default: preset } = schema as Preset & { properties?: Record<string, Preset> }
  const hasDefaults = properties && Object.values(properties).every((field) => 'default' in field)
  return hasDefaults && preset === undefined ? { ...schema, default: {} } : schema
}

function mapped(all: Readonly<Record<string, TSchema>>, change: (schema: TSchema) => TSchema): TProperties {
  return Object.fromEntries(Object.entries(all).map(([name, schema]) => [name, change(schema)]))
}

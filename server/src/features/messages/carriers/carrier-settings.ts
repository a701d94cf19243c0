/** The settings of a carrier: checked by its kind, and parted into what may be shown and what is sealed. */
import { type AnyCarrierKind, type Connection, type UrlRules } from '../../../adapters/sms/carrier-kind.js'
import { type CarrierKind, carrierKinds, kindNamed } from '../../../adapters/sms/kinds/index.js'
import type { CarrierLink } from '../../../adapters/sms/link.js'
import { numberProblem } from '../../../adapters/sms/number-settings.schema.js'
import type { NumberSettings } from '../../../adapters/sms/numbers.js'
import type { SecretBox } from '../../../infrastructure/database/secrets.js'
import { purposes } from '../../../infrastructure/database/sealed-columns.js'
import { ValidationError, invalidField } from '../../../infrastructure/http/errors.js'
import { nullsRemoved } from '../../../infrastructure/http/schema-walk.js'
import { bodyValidator, validateAt } from '../../../infrastructure/http/validation.js'
import type { Carrier } from './carrier.entity.js'

type Fields = Readonly<Record<string, unknown>>

/** Compiled once: validators are expensive. */
const checks = new Map(carrierKinds.map((kind) => [kind.kind, checkOf(kind)]))

function checkOf({ input }: AnyCarrierKind) {
  return { validate: bodyValidator(input), withoutNulls: nullsRemoved(input) }
}

export class CarrierSettings {
  constructor(
    private readonly secrets: SecretBox,
    private readonly client: UrlRules,
  ) {}

  /**
   * The columns of what was sent.
   * @param known the carrier, where it is there already: what is not sent stays as it is
   * @throws 400 naming `settings.…`
   */
  columnsOf(
    id: string,
    kind: CarrierKind,
    sent: Fields,
    known?: Carrier,
  ): Pick<Carrier, 'settings' | 'secrets'> {
    const of = kindNamed(kind)
    const before = known ? this.readableSecrets(known) : {}
    const merged = checked(of, { ...known?.settings, ...before }, sent, this.client)
    const isSecret = ([name]: [string, unknown]) => of.secrets.includes(name)
    const entries = Object.entries(merged)
    const secret = JSON.stringify(Object.fromEntries(entries.filter(isSecret)))
    return {
      settings: Object.fromEntries(entries.filter((entry) => !isSecret(entry))),
      // The same secrets stay sealed as they are: each sealing looks like a change.
      secrets:
        known && secret === JSON.stringify(before)
          ? known.secrets
          : this.secrets.seal(secret, purposes.carrier(id)),
    }
  }

  /** All settings, with secrets in clear. */
  full(carrier: Carrier): Fields {
    return { ...withDefaults(carrier), ...this.secretsOf(carrier) }
  }

  /** The carrier's link. @throws when its settings are of no use */
  connect(carrier: Carrier, connection: Omit<Connection, 'window'>): CarrierLink {
    return kindNamed(carrier.kind).connect(this.full(carrier), { ...connection, window: carrier.window_size })
  }

  /** The visible settings; of secrets only the names. */
  shown(carrier: Carrier): { settings: Fields; secrets: string[] } {
    const secrets = Object.entries(this.readableSecrets(carrier)).flatMap(([name, value]) => {
      if (typeof value === 'object' && value !== null)
        return Object.keys(value).map((key) => `${name}.${key}`)
      return value === '' ? [] : [name]
    })
    return { settings: withDefaults(carrier), secrets }
  }

  /** Empty if they were sealed with another key: the operator has to set them again. */
  private readableSecrets(carrier: Carrier): Fields {
    try {
      return this.secretsOf(carrier)
    } catch {
      return {}
    }
  }

  private secretsOf({ id, secrets }: Carrier): Fields {
    return JSON.parse(this.secrets.open(secrets, purposes.carrier(id))) as Fields
  }
}

/** Adds defaults for settings that did not exist when the row was stored. */
function withDefaults({ kind, settings }: Pick<Carrier, 'kind' | 'settings'>): Fields {
  return { ...kindNamed(kind).defaults, ...settings }
}

/** What is stored and what was sent, with defaults. @throws 400 */
function checked(kind: AnyCarrierKind, stored: Fields, sent: Fields, urls: UrlRules): Fields {
  const { validate, withoutNulls } = checks.get(kind.kind) ?? checkOf(kind)
  const settings = structuredClone({ ...stored, ...withoutNulls(sent) })
  const broken = validateAt(validate, settings, 'settings')
  if (broken.length > 0) throw new ValidationError(broken)
  // The schema includes the settings of numbers.
  const wrong = numberProblem(settings as unknown as NumberSettings)
  if (wrong) throw invalidField(`settings.${wrong.field}`, `settings.${wrong.field} ${wrong.problem}`)
  const problems = kind.problems(settings, urls).map(({ field, problem }) => ({
    field: `settings.${field}`,
    messages: [`settings.${field} ${problem}`],
  }))
  if (problems.length > 0) throw new ValidationError(problems)
  return settings
}

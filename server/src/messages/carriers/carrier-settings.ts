/** The settings of a carrier: checked by its kind, and parted into what may be shown and what is sealed. */
import { settingProblems } from '../../carriers/http/check-settings.js'
import type { Static } from 'typebox'
import {
  type HttpCarrierSecrets,
  type HttpCarrierSettings,
  commonRefusals,
  plainEncodings,
} from '../../carriers/http/settings.js'
import { NUMBER_DEFAULTS } from '../../carriers/numbers.js'
import { SMPP_DEFAULTS, type SmppSettings } from '../../carriers/smpp/settings.js'
import type { SecretBox } from '../../database/secrets.js'
import { purposes } from '../../database/sealed-columns.js'
import { checkHeaders } from '../../http/header-fields.js'
import { ValidationError, invalidField } from '../../http/errors.js'
import { nullsRemoved } from '../../http/schema-walk.js'
import { bodyValidator, validateAt } from '../../http/validation.js'
import type { GuardedClient } from '../../http-client/guarded-client.js'
import { isHost } from '../../sip-trunks/hosts.js'
import type { Carrier, CarrierKind } from './carrier.entity.js'
import { HttpInput, HttpSecretsShape, type HttpSettingsShape } from './http-settings.schema.js'
import { numberProblem } from '../../phone-numbers/number-settings.schema.js'
import { SmppInput, SmppSecretsShape, type SmppSettingsShape } from './smpp-settings.schema.js'

/** The settings for a link, with secrets in clear. */
export type LinkSettings =
  | { readonly kind: 'smpp'; readonly settings: SmppSettings }
  | { readonly kind: 'http'; readonly settings: HttpCarrierSettings; readonly secrets: HttpCarrierSecrets }

/** The form that the API shows. */
type ShownSettings = Static<typeof SmppSettingsShape> | Static<typeof HttpSettingsShape>

type Fields = Readonly<Record<string, unknown>>

const kinds = {
  smpp: {
    ...{ validate: bodyValidator(SmppInput), withoutNulls: nullsRemoved(SmppInput) },
    secrets: Object.keys(SmppSecretsShape.properties),
  },
  http: {
    ...{ validate: bodyValidator(HttpInput), withoutNulls: nullsRemoved(HttpInput) },
    secrets: Object.keys(HttpSecretsShape.properties),
  },
}

const { window_size: _, ...smppPresets } = SMPP_DEFAULTS
const httpPresets = {
  ...{ ...NUMBER_DEFAULTS, number_format: 'plus' },
  ...{ refusals: commonRefusals, encodings: plainEncodings, kinds: null },
} as const
const presets = { smpp: smppPresets, http: httpPresets }

type UrlRules = Pick<GuardedClient, 'brokenRule'>

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
    const before = known ? this.readableSecrets(known) : {}
    const merged = structuredClone({ ...known?.settings, ...before, ...kinds[kind].withoutNulls(sent) })
    check(kind, merged, this.client)
    const isSecret = ([name]: [string, unknown]) => kinds[kind].secrets.includes(name)
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

  linkSettings(carrier: Carrier): LinkSettings {
    const { kind, window_size } = carrier
    const settings = withDefaults(carrier)
    const secrets = this.secretsOf(carrier)
    // Both were checked when they were stored.
    if (kind === 'smpp')
      return { kind, settings: { ...({ ...settings, ...secrets } as SmppInput), window_size } }
    const { headers, inbound_secret, ...rest } = { ...settings, ...secrets } as HttpInput
    return { kind, settings: rest, secrets: { headers, inbound_secret } }
  }

  /** The visible settings; of secrets only the names. */
  shown(carrier: Carrier): { settings: ShownSettings; secrets: string[] } {
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
function withDefaults({ kind, settings }: Pick<Carrier, 'kind' | 'settings'>): ShownSettings {
  return { ...presets[kind], ...settings } as ShownSettings
}

/** Fills in defaults. @throws 400 */
function check(kind: CarrierKind, settings: Fields, client: UrlRules): void {
  const problems = validateAt(kinds[kind].validate, settings, 'settings')
  if (problems.length > 0) throw new ValidationError(problems)
  const wrong = numberProblem(settings as SmppInput | HttpInput)
  if (wrong) throw invalidField(`settings.${wrong.field}`, `settings.${wrong.field} ${wrong.problem}`)
  if (kind === 'smpp') checkSmpp(settings as SmppInput)
  else checkHttp(settings as HttpInput, client)
}

function checkSmpp({ host, number_format, source_ton, destination_ton }: SmppInput): void {
  if (!isHost(host)) throw invalidField('settings.host', 'settings.host must be a host name or an IP address')
  if (number_format !== 'national' && number_format !== 'national_trunk') return
  for (const [name, ton] of Object.entries({ source_ton, destination_ton })) {
    if (ton !== 1) continue
    const rule =
      'must not be 1 (international) where number_format is national: the SMSC would read another number'
    throw invalidField(`settings.${name}`, `settings.${name} ${rule}`)
  }
}

function checkHttp(settings: HttpInput, client: UrlRules): void {
  const broken = client.brokenRule(settings.url)
  if (broken) throw invalidField('settings.url', `settings.url must ${broken}`)
  checkHeaders('settings.headers', settings.headers)
  const problems = settingProblems(settings).map(({ field, problem }) => ({
    field: `settings.${field}`,
    messages: [`settings.${field} ${problem}`],
  }))
  if (problems.length > 0) throw new ValidationError(problems)
}

/** The settings of a provider: checked by its kind, and parted into what may be shown and the keys, which are sealed. */
import type { Static } from 'typebox'
import type { SecretBox } from '../../infrastructure/database/secrets.js'
import { purposes } from '../../infrastructure/database/sealed-columns.js'
import { type FieldProblem, ValidationError } from '../../infrastructure/http/errors.js'
import { nullsRemoved } from '../../infrastructure/http/schema-walk.js'
import { bodyValidator, validateAt } from '../../infrastructure/http/validation.js'
import { brokenUrlRule } from '../../infrastructure/http-client/urls.js'
import type { AiProvider, AiProviderKind } from './ai-provider.entity.js'
import {
  CascadedInput,
  type CascadedSettingsShape,
  RealtimeInput,
  type RealtimeSettingsShape,
} from './provider-settings.schema.js'

/** The settings for a model, with keys in clear. */
export type AddressSettings =
  | { readonly kind: 'openai_realtime'; readonly settings: RealtimeInput }
  | { readonly kind: 'cascaded'; readonly settings: CascadedInput }

/** The form that the API shows. */
type ShownSettings = Static<typeof RealtimeSettingsShape> | Static<typeof CascadedSettingsShape>

type Fields = Readonly<Record<string, unknown>>

const validators = { openai_realtime: bodyValidator(RealtimeInput), cascaded: bodyValidator(CascadedInput) }
const withoutNulls = { openai_realtime: nullsRemoved(RealtimeInput), cascaded: nullsRemoved(CascadedInput) }

/** The settings of a realtime provider without an address: OpenAI. */
const openAi: Fields = {
  base_url: 'https://api.openai.com/v1',
  transcription_model: 'gpt-4o-mini-transcribe',
  text_model: 'gpt-4.1-mini',
}

export class ProviderSettings {
  constructor(private readonly secrets: SecretBox) {}

  /**
   * The columns of what was sent.
   * @param known the provider, where it is there already: what is not sent stays as it is
   * @throws 400 naming `settings.…`
   */
  columnsOf(
    id: string,
    kind: AiProviderKind,
    sent: Fields,
    known?: AiProvider,
  ): Pick<AiProvider, 'settings' | 'secrets'> {
    const before = (known && this.keysOf(known)) ?? {}
    const preset = !known && kind === 'openai_realtime' && sent['base_url'] === undefined ? openAi : {}
    const merged = structuredClone(
      together(together({ ...preset, ...known?.settings }, unflattened(before)), withoutNulls[kind](sent)),
    )
    check(kind, merged)
    const { settings, keys } = parted(merged)
    const secret = JSON.stringify(keys)
    return {
      settings,
      // The same keys stay sealed as they are: each sealing looks like a change.
      secrets:
        known && secret === JSON.stringify(before)
          ? known.secrets
          : this.secrets.seal(secret, purposes.aiProvider(id)),
    }
  }

  /** Null when the keys were sealed with another one. */
  addressSettings(provider: AiProvider): AddressSettings | null {
    const keys = this.keysOf(provider)
    if (!keys) return null
    const settings = structuredClone(together(provider.settings, unflattened(keys)))
    // They were checked when they were stored: this finds missing keys, and rules that are newer.
    check(provider.kind, settings)
    return { kind: provider.kind, settings } as AddressSettings
  }

  /** The visible settings; of keys only the names. */
  shown(provider: AiProvider): { settings: ShownSettings; secrets: string[] } {
    return { settings: provider.settings as ShownSettings, secrets: Object.keys(this.keysOf(provider) ?? {}) }
  }

  /** Null if they were sealed with another key: the operator has to set them again. */
  private keysOf({ id, secrets }: AiProvider): Record<string, string> | null {
    try {
      return JSON.parse(this.secrets.open(secrets, purposes.aiProvider(id))) as Record<string, string>
    } catch {
      return null
    }
  }
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Objects field by field, one within another; of all else the later counts. */
function together(before: Fields, after: Fields): Fields {
  const merged = new Map(Object.entries(before))
  for (const [name, value] of Object.entries(after)) {
    const old = merged.get(name)
    merged.set(name, isObject(old) && isObject(value) ? together(old, value) : value)
  }
  return Object.fromEntries(merged)
}

/** `{'chat.api_key': k}` → `{chat: {api_key: k}}`. */
function unflattened(keys: Readonly<Record<string, string>>): Fields {
  return Object.entries(keys).reduce<Fields>((fields, [path, value]) => {
    const names = path.split('.').reverse()
    return together(fields, names.reduce<unknown>((inner, name) => ({ [name]: inner }), value) as Fields)
  }, {})
}

/** Takes the keys out of settings. */
function parted(settings: Fields): { settings: Fields; keys: Record<string, string> } {
  const shown: Record<string, unknown> = {}
  const keys: Record<string, string> = {}
  for (const [name, value] of Object.entries(settings)) {
    if (name === 'api_key') {
      if (typeof value === 'string') keys[name] = value
    } else if (isObject(value)) {
      const inner = parted(value)
      shown[name] = inner.settings
      for (const [path, key] of Object.entries(inner.keys)) keys[`${name}.${path}`] = key
    } else shown[name] = value
  }
  return { settings: shown, keys }
}

/** Fills in defaults. @throws 400 */
function check(kind: AiProviderKind, settings: Fields): void {
  const problems = validateAt(validators[kind], settings, 'settings')
  if (problems.length === 0) problems.push(...urlProblems(kind, settings))
  if (problems.length > 0) throw new ValidationError(problems)
}

function urlProblems(kind: AiProviderKind, settings: Fields): FieldProblem[] {
  if (kind === 'openai_realtime') {
    const { base_url, text_base_url } = settings as RealtimeInput
    return [
      ...urlProblem('settings.base_url', base_url, true),
      ...(text_base_url === null ? [] : urlProblem('settings.text_base_url', text_base_url, false)),
    ]
  }
  return Object.entries(settings as CascadedInput).flatMap(([name, { base_url }]) =>
    urlProblem(`settings.${name}.base_url`, base_url, false),
  )
}

/** The operator's own networks are no secret from the operator: a URL may lead anywhere. */
function urlProblem(field: string, text: string, mayBeSocket: boolean): FieldProblem[] {
  const asHttp = mayBeSocket ? text.replace(/^ws(?=s?:)/i, 'http') : text
  const kinds = mayBeSocket ? 'a ws, wss, http or https URL' : 'an http or https URL'
  const broken = /[?#]/.test(text)
    ? 'have neither a query nor a fragment'
    : brokenUrlRule(asHttp)?.replace('an http or https URL', kinds)
  return broken ? [{ field, messages: [`${field} must ${broken}`] }] : []
}

import { carrierKinds } from '@jackfield/sdk/carrier-kinds'
import { type Field, choice, number, text, yesNo } from '../lib/fields.js'
import { jsonFile, secret } from '../lib/file-fields.js'
import { table } from '../lib/table.js'

const numbers = { helpGroup: 'Numbers' }

/** A setting with a flag, as the server describes it. */
interface Setting {
  readonly name: string
  readonly help: string
  readonly type: string
  readonly values: readonly string[]
  readonly required: boolean
}

type SettingField = Field<`settings.${string}`>

const kinds: readonly { readonly kind: string; readonly flags: readonly Setting[] }[] = carrierKinds

/** As the API names them. */
export const kindNames = kinds.map(({ kind }) => kind)

/** Without `--kind`. */
export const usualKind = 'smpp'

/** Flags of the settings of each kind. Kinds may share a flag: a new carrier of those that require it is asked for it. */
const ofKinds: Record<string, SettingField> = {}
for (const { kind, flags } of kinds) {
  for (const setting of flags) {
    const flag = setting.name.replaceAll('_', '-') + (setting.type === 'headers' ? '-file' : '')
    const requiring = kinds.filter((one) =>
      one.flags.some(({ name, required }) => required && name === setting.name),
    )
    const isNeeded = requiring.length > 0
    ofKinds[flag] ??= neededBy(
      requiring.map((one) => one.kind),
      fieldOf({ ...setting, required: isNeeded }, { helpGroup: kind.toUpperCase() }),
    )
  }
}

function fieldOf(
  { name, help, type, values, required }: Setting,
  group: { helpGroup: string },
): SettingField {
  const path = `settings.${name}` as const
  switch (type) {
    case 'secret':
      return secret(path, help, required ? sentence(help) : undefined)
    case 'headers':
      return jsonFile(path, help, group)
    case 'choice':
      return choice(path, help, values, group)
    case 'number':
      return number(path, help, group)
    case 'flag':
      return yesNo(path, help, group)
    default:
      return text(path, help, { ...group, ...(required && { ask: promptOf(name) }) })
  }
}

/** `system_id`: System id. */
function promptOf(name: string): string {
  return name === 'url' ? 'URL' : sentence(name.replaceAll('_', ' '))
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** A field that a new carrier of these kinds requires, unless a file has the settings. */
function neededBy(requiring: readonly string[], field: SettingField): SettingField {
  return {
    ...field,
    read: async (values, flag, lacking) =>
      field.read(
        values,
        flag,
        lacking &&
          requiring.some((kind) => kind === (values['kind'] ?? usualKind)) &&
          values['settings-file'] === undefined,
      ),
  }
}

/** Fields of a carrier; flags override the settings file. */
export const carrierFields = {
  title: text('title', 'name that people read', { ask: 'Title' }),
  'settings-file': jsonFile('settings', 'settings as JSON; those that it does not name stay as they are'),
  ...ofKinds,
  country: text('settings.country', 'code of the country whose national numbers it writes', numbers),
  'number-format': choice(
    'settings.number_format',
    'how numbers go out',
    [
      ...['digits', 'plus', 'international_00', 'international_011'],
      ...['national', 'national_trunk', 'prefix'],
    ],
    numbers,
  ),
  'inbound-number-format': choice(
    'settings.inbound_number_format',
    'how its numbers without a plus sign are read',
    ['auto', 'e164', 'national'],
    numbers,
  ),
  window: number('window_size', 'submissions that may be without an answer at once'),
  throughput: number('throughput', 'segments a second, at most'),
  active: yesNo('is_active', 'whether anything is sent to it and taken from it'),
}

/** Path of a number's carriers. */
export const carriersOfNumber = '/workspaces/{workspace_id}/phone-numbers/{id}/carriers'

interface Assigned {
  carriers: readonly { id: string; title: string; kind: string; is_active: boolean }[]
}

/** A number's carriers for display. */
export function assignedCarriers({ carriers }: Assigned): string {
  if (carriers.length === 0) return 'The number has no SMS carrier: it sends and takes no messages.'
  return table(carriers, {
    id: ({ id }) => id,
    title: ({ title }) => title,
    kind: ({ kind }) => kind,
    is_active: ({ is_active }) => is_active,
  })
}

/** The kinds of SMS carriers and the forms of their settings, as the server describes them. */
import { carrierKinds } from '@jackfield/sdk/carrier-kinds'
import type { AnyTextKey } from '../../i18n/texts'
import type { carriersTexts, settingsTexts } from './texts'

/** A description that names a text which is missing is a type error here. */
type Word = AnyTextKey<(typeof settingsTexts)['en']>
type KindName = AnyTextKey<(typeof carriersTexts)['en']> & (typeof carrierKinds)[number]['kind']

export interface Field {
  /** Of the setting: `inbound.from`. */
  readonly path: string
  readonly label: Word
  readonly hint?: Word
  readonly type:
    | ('line' | 'url' | 'text' | 'number' | 'flag' | 'tags' | 'choice' | 'secret')
    | ('meanings' | 'headers' | 'country' | 'ton' | 'npi')
  readonly required?: true
  /** An empty input means null. */
  readonly nullable?: true
  /** Values are numbers, though they are typed or chosen as texts. */
  readonly numeric?: true
  /** Lists with the same key share no word. */
  readonly distinct?: string
  /** Values of a choice; without a label they are shown as they are. What the words of `meanings` can mean. */
  readonly choices?: readonly { readonly value: string; readonly label?: Word }[]
  readonly preset?: unknown
}

export interface Kind {
  readonly kind: KindName
  /** Settings that a new carrier is asked for. */
  readonly first: readonly string[]
  readonly examples: Readonly<Record<string, unknown>>
  /** Objects that are null while all their fields are empty. */
  readonly optional: readonly string[]
  readonly sections: readonly {
    readonly title: Word
    readonly hint?: Word
    readonly fields: readonly Field[]
  }[]
}

export const kinds: readonly Kind[] = carrierKinds

export function kindOf(name: Kind['kind']): Kind {
  const kind = kinds.find((one) => one.kind === name)
  if (!kind) throw new Error(`no kind ${name}`)
  return kind
}

export function fieldsOf({ sections }: Kind): readonly Field[] {
  return sections.flatMap(({ fields }) => fields)
}

/** Fields that a new carrier is asked for, in their order. */
export function firstFieldsOf(kind: Kind): readonly Field[] {
  const all = fieldsOf(kind)
  return kind.first.flatMap((path) => all.filter((field) => field.path === path))
}

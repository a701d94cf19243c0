/**
 * Texts of one feature in every language, added when the feature's chunk loads. A missing or surplus text in one
 * language is a type error.
 */
import i18next from 'i18next'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
// Initialises i18next, which the texts are added to.
import './language'

/** Flat: `{ title: 'Numbers', found_one: '{{count}} number', found_other: '{{count}} numbers' }`. */
export type TextTable = Readonly<Record<string, string>>

/** Keys for `t()`: the value `count` selects the plural form. */
export type TextKey<T> = keyof T extends infer K
  ? K extends `${infer Base}_one` | `${infer Base}_other`
    ? Base
    : K & string
  : never

export interface Texts<T extends TextTable> {
  readonly namespace: string
  readonly en: T
}

/** Values of a text's `{{placeholders}}`. */
export type TextValues = Readonly<Record<string, string | number>>

export type Translate<T extends TextTable> = (key: TextKey<T>, values?: TextValues) => string

export function defineTexts<const T extends TextTable>(
  namespace: string,
  { en, de }: { en: T; de: Readonly<Record<keyof T, string>> },
): Texts<T> {
  i18next.addResourceBundle('en', namespace, en, true, true)
  i18next.addResourceBundle('de', namespace, de, true, true)
  return { namespace, en }
}

/** The texts of a feature in the current language. */
export function useTexts<T extends TextTable>(texts: Texts<T>): Translate<T> {
  const { t } = useTranslation(texts.namespace)
  return useCallback<Translate<T>>((key, values) => t(key, { ...values }), [t])
}

/** For code outside of components; in the language at the time of the call. */
export function textOf<T extends TextTable>(texts: Texts<T>, key: TextKey<T>, values?: TextValues): string {
  return i18next.t(key, { ns: texts.namespace, ...values })
}

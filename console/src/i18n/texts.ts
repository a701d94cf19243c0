/**
 * Texts of a feature, from `locales/en.json` in its folder: English comes with the feature's chunk, other languages as
 * a whole when they are chosen (`./language`). Keys are typed by the English; `test/src/locales.test.ts` holds the others to it.
 */
import i18next from 'i18next'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
// Initialises i18next, which the texts are added to.
import './language'
import type shared from './locales/en.json'
import { type TextTable, namespaceOf } from './tables'

/** Keys for `t()`: the value `count` selects the plural form. */
export type TextKey<T> = keyof T extends infer K
  ? K extends `${infer Base}_one` | `${infer Base}_other`
    ? Base
    : K & string
  : never

/** A feature's own words; where it has none, those of all features. */
export type AnyTextKey<T> = TextKey<T> | TextKey<typeof shared.common>

export interface Texts<T extends TextTable> {
  readonly namespace: string
  readonly en: T
}

/** Values of a text's `{{placeholders}}`. */
export type TextValues = Readonly<Record<string, string | number>>

export type Translate<T extends TextTable> = (key: AnyTextKey<T>, values?: TextValues) => string

/** @param feature name of the folder */
export function defineTexts<T extends TextTable>(feature: string, en: T): Texts<T> {
  return added(namespaceOf(feature), en)
}

/** Texts of a file that has several groups. @param feature name of the folder */
export function defineTextGroups<G extends Readonly<Record<string, TextTable>>>(
  feature: string,
  groups: G,
): { readonly [Group in keyof G]: Texts<G[Group]> } {
  const texts = Object.entries(groups).map(([group, en]) => [group, added(namespaceOf(feature, group), en)])
  return Object.fromEntries(texts) as { [Group in keyof G]: Texts<G[Group]> }
}

function added<T extends TextTable>(namespace: string, en: T): Texts<T> {
  i18next.addResourceBundle('en', namespace, en)
  return { namespace, en }
}

/** The texts of a feature in the current language. */
export function useTexts<T extends TextTable>(texts: Texts<T>): Translate<T> {
  const { t } = useTranslation(texts.namespace)
  return useCallback<Translate<T>>((key, values) => t(key, { ...values }), [t])
}

/** For code outside of components; in the language at the time of the call. */
export function textOf<T extends TextTable>(
  texts: Texts<T>,
  key: AnyTextKey<T>,
  values?: TextValues,
): string {
  return i18next.t(key, { ns: texts.namespace, ...values })
}

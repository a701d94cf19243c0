import { type AnyTextKey, useTexts } from '../../../i18n/texts'
import { settingsTexts } from '../texts'

type Word = AnyTextKey<(typeof settingsTexts)['en']>

/** Labels of settings and of their options. @param group of the form's values that they are in */
export function useSettingWords(group: string) {
  const t = useTexts(settingsTexts)
  return {
    /** @param label if the setting's own name is too short */
    field: <Name extends string>(
      name: Name,
      ...[label]: Name extends Word ? [label?: Word] : [label: Word]
    ) => ({
      path: `${group}.${name}`,
      label: t(label ?? (name as Word)),
    }),
    choices: (...values: Word[]) => values.map((value) => ({ value, label: t(value) })),
  }
}

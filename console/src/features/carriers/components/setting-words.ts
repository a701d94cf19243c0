import { type TextKey, useTexts } from '../../../i18n/texts'
import { settingsTexts } from '../settings-texts'

type Word = TextKey<(typeof settingsTexts)['en']>

/** Names of settings, and of what can be chosen for them. @param group of the form's values that they are in */
export function useSettingWords(group: string) {
  const t = useTexts(settingsTexts)
  return {
    /** @param label where the setting's own name says too little */
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

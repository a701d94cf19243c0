/** Flat: `{ "title": "Numbers", "found_one": "{{count}} number", "found_other": "{{count}} numbers" }`. */
export type TextTable = Readonly<Record<string, string>>

/** A feature's file: its texts, or several groups of them. */
export type TextFile = TextTable | Readonly<Record<string, TextTable>>

/** All files of a language, by their paths: `/src/features/teams/locales/de.json`. */
export type Translations = Readonly<Record<string, TextFile>>

/** Namespace of a feature's texts, or of one group of them: `teams/ownTeams`. */
export function namespaceOf(feature: string, group?: string): string {
  return group === undefined ? feature : `${feature}/${group}`
}

/** What i18next holds of a language's files. A feature is called as its folder. */
export function tablesOf(translations: Translations): { namespace: string; table: TextTable }[] {
  return Object.entries(translations).flatMap(([path, file]) => {
    const feature = path.split('/').at(-3) ?? ''
    const groups = Object.entries(file).filter(
      (entry): entry is [string, TextTable] => typeof entry[1] !== 'string',
    )
    return groups.length > 0
      ? groups.map(([group, table]) => ({ namespace: namespaceOf(feature, group), table }))
      : [{ namespace: feature, table: file as TextTable }]
  })
}

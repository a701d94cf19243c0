/**
 * Headings of pages, for the menu, which loads before the texts of pages: of each feature's English, `heading` alone
 * (`vite.config.mjs`). The page brings the rest.
 */
import i18next from 'i18next'
import files from 'virtual:headings'
import './language'
import { tablesOf } from './tables'

for (const { namespace, table } of tablesOf(files)) i18next.addResourceBundle('en', namespace, table)

/**
 * In the current language.
 * @param namespace of the page's texts: `teams`, or `teams/ownTeams` where the file has groups
 */
export function headingOf(namespace: string): string {
  if (!i18next.exists('heading', { ns: namespace }))
    throw new Error(`no heading in the texts of ${namespace}`)
  return i18next.t('heading', { ns: namespace })
}

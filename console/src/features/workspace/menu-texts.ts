import { defineTexts } from '../../i18n/texts'

/** Menu texts: they load before the page. */
export const workspaceMenuTexts = defineTexts('workspace-menu', {
  en: { title: 'Workspace' },
  de: { title: 'Arbeitsbereich' },
})

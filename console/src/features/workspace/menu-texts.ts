import { defineTexts } from '../../i18n/texts'

/** What the menu says: it is there before the page is. */
export const workspaceMenuTexts = defineTexts('workspace-menu', {
  en: { title: 'Workspace' },
  de: { title: 'Arbeitsbereich' },
})

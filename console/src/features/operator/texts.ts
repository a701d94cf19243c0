/** The menu's entries; the texts of the pages come with them. */
import { defineTexts } from '../../i18n/texts'

export const operatorTexts = defineTexts('operator', {
  en: {
    checklist: 'First steps',
    health: 'Health',
    workspaces: 'Workspaces',
  },
  de: {
    checklist: 'Erste Schritte',
    health: 'Zustand',
    workspaces: 'Arbeitsbereiche',
  },
})

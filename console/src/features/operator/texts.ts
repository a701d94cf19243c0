/** Menu texts; the pages' texts load with the pages. */
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

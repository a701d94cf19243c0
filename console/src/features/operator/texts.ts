import { defineTextGroups } from '../../i18n/texts'
import en from './locales/en.json'

export const {
  jobs: jobTexts,
  reasons: reasonTexts,
  workspaces: workspacesTexts,
  checklist: checklistTexts,
  health: healthTexts,
} = defineTextGroups('operator', en)

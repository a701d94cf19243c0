import { defineTextGroups } from '../../i18n/texts'
import en from './locales/en.json'

export const {
  flows: flowsTexts,
  try: tryTexts,
  versions: versionsTexts,
  editor: editorTexts,
  steps: stepTexts,
  templates: templateTexts,
  use: usedTexts,
} = defineTextGroups('flows', en)

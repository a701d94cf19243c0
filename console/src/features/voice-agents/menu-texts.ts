/** The menu's word is in the first chunk; the pages' texts are not. */
import { defineTexts } from '../../i18n/texts'

export const voiceAgentsMenu = defineTexts('voice-agents-menu', {
  en: { title: 'Voice agents' },
  de: { title: 'Sprachassistenten' },
})

/** Menu text; the pages' texts load later. */
import { defineTexts } from '../../i18n/texts'

export const voiceAgentsMenu = defineTexts('voice-agents-menu', {
  en: { title: 'Voice agents' },
  de: { title: 'Sprachassistenten' },
})

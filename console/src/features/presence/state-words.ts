import { defineTexts } from '../../i18n/texts'

/** Names of agent states, the same everywhere. */
export const stateWords = defineTexts('agent-states', {
  en: { available: 'Available', busy: 'Busy', incall: 'In a call', offline: 'Offline' },
  de: { available: 'Verfügbar', busy: 'Beschäftigt', incall: 'Im Gespräch', offline: 'Offline' },
})

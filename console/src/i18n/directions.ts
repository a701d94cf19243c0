import { defineTexts } from './texts'

/** Directions of calls and messages, by the API's names. */
export const directionWords = defineTexts('directions', {
  en: { inbound: 'Inbound', outbound: 'Outbound' },
  de: { inbound: 'Eingehend', outbound: 'Ausgehend' },
})

import { defineTexts } from './texts'

/** Which way calls and messages go, as the API calls it. */
export const directionWords = defineTexts('directions', {
  en: { inbound: 'Inbound', outbound: 'Outbound' },
  de: { inbound: 'Eingehend', outbound: 'Ausgehend' },
})

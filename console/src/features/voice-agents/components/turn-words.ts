/** Labels of the API's turn detection modes. */
export const turnWords = {
  server_vad: 'turnBySilence',
  semantic_vad: 'turnBySense',
  low: 'eagernessLow',
  medium: 'eagernessMedium',
  high: 'eagernessHigh',
  auto: 'eagernessAuto',
} as const

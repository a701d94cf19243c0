/** The texts for what the API says about turns. */
export const turnWords = {
  server_vad: 'turnBySilence',
  semantic_vad: 'turnBySense',
  low: 'eagernessLow',
  medium: 'eagernessMedium',
  high: 'eagernessHigh',
  auto: 'eagernessAuto',
} as const

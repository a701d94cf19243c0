/** When a caller's turn begins and ends, as a version of a voice agent sets it; null: as it usually is. */
export interface TurnDetection {
  /** `server_vad`: over after a time of silence; `semantic_vad`: over when what was said is complete. */
  readonly type: 'server_vad' | 'semantic_vad' | null
  /** For `semantic_vad`: how soon an unfinished sentence is answered all the same. */
  readonly eagerness: 'low' | 'medium' | 'high' | 'auto' | null
  /** Least probability of speech, from 0 to 1. */
  readonly threshold: number | null
  /** Silence after which a turn may be over. */
  readonly silenceMs: number | null
  /** Speech that stops the voice agent while it talks. */
  readonly interruptionMs: number | null
  /** Words such as “uh huh” do not stop it. */
  readonly ignoresBackchannels: boolean
}

export const usualTurns: TurnDetection = {
  ...{ type: null, eagerness: null, threshold: null, silenceMs: null, interruptionMs: null },
  ignoresBackchannels: true,
}

/** For cascaded models, where this server detects the turns. */
export interface TurnRules {
  readonly threshold: number
  readonly silenceMs: number
  /** Silence after which an unfinished sentence is over as well. */
  readonly unfinishedMs: number
  readonly interruptionMs: number
  readonly ignoresBackchannels: boolean
}

/** With a lower threshold silence would be speech. */
export const leastThreshold = 0.05

/** People who spell a number or look for a word pause for about a second. */
const unfinishedMs = { low: 2_500, medium: 1_400, high: 1_000, auto: 1_400 } as const

export function turnRulesOf(set: TurnDetection): TurnRules {
  const threshold = Math.max(leastThreshold, set.threshold ?? 0.5)
  const silenceMs = set.silenceMs ?? 600
  const patientMs = set.type === 'server_vad' ? 0 : unfinishedMs[set.eagerness ?? 'auto']
  return {
    ...{ threshold, silenceMs, unfinishedMs: Math.max(silenceMs, patientMs) },
    ...{ interruptionMs: set.interruptionMs ?? 500, ignoresBackchannels: set.ignoresBackchannels },
  }
}

/** When a caller's turn begins and ends, as a version of a voice agent sets it. */
export interface TurnDetection {
  /** `server_vad`: after a time of silence; `semantic_vad`: when what was said is complete. */
  readonly type?: 'server_vad' | 'semantic_vad'
  /** How sure it must be that somebody speaks, from 0 to 1. */
  readonly threshold?: number
  /** Silence after which a turn may be over. */
  readonly silence_duration_ms?: number
  /** Of `semantic_vad`: how soon an unfinished sentence is answered all the same. */
  readonly eagerness?: 'low' | 'medium' | 'high' | 'auto'
  /** Speech that stops the voice agent while it talks. */
  readonly interruption_duration_ms?: number
  /** Words such as “uh huh” do not stop it. */
  readonly ignore_backchannels?: boolean
}

/** For a chain of three servers, whose turns are found here. */
export interface TurnRules {
  readonly threshold: number
  readonly silenceMs: number
  /** Silence after which an unfinished sentence is over as well. */
  readonly unfinishedMs: number
  readonly interruptionMs: number
  readonly ignoresBackchannels: boolean
}

/** People who spell a number or look for a word pause for about a second. */
const unfinishedMs = { low: 2_500, medium: 1_400, high: 1_000, auto: 1_400 } as const

export function turnRulesOf(settings: TurnDetection | null): TurnRules {
  const silenceMs = settings?.silence_duration_ms ?? 600
  const patient = settings?.type === 'server_vad' ? 0 : unfinishedMs[settings?.eagerness ?? 'auto']
  return {
    ...{ threshold: settings?.threshold ?? 0.5, silenceMs, unfinishedMs: Math.max(silenceMs, patient) },
    interruptionMs: settings?.interruption_duration_ms ?? 500,
    ignoresBackchannels: settings?.ignore_backchannels ?? true,
  }
}

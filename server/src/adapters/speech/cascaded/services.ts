/** The three services that make a voice agent together, each of them OpenAI-compatible HTTP. */
export interface Service {
  /** The base URL of the endpoints: `http://10.0.0.5:8000/v1`. */
  readonly baseUrl: string
  /** Null where none is asked for. */
  readonly apiKey: string | null
  /** The service's name of the model. */
  readonly model: string
}

export interface CascadedServices {
  readonly speechToText: Service
  readonly chat: Service
  readonly textToSpeech: Service & {
    /** The default voice; the endpoint requires one. */
    readonly voice: string
    /**
     * Samples a second of its `pcm` answers, which have no header: 24,000 for OpenAI and Kokoro; Piper's depend on the
     * voice.
     */
    readonly pcmRate: number
  }
}

/** Deadlines of a service, in milliseconds. */
export interface Deadlines {
  /** Until its answer begins, and between two parts of it. */
  readonly silenceMs: number
  readonly wholeMs: number
}

export interface CascadedDeadlines {
  readonly check: Deadlines
  readonly speechToText: Deadlines
  readonly chat: Deadlines
  readonly textToSpeech: Deadlines
}

/** A caller hangs up when nothing is said for longer; a long answer of a slow model takes its time. */
export const usualDeadlines: CascadedDeadlines = {
  check: { silenceMs: 5_000, wholeMs: 5_000 },
  speechToText: { silenceMs: 12_000, wholeMs: 15_000 },
  chat: { silenceMs: 12_000, wholeMs: 90_000 },
  textToSpeech: { silenceMs: 10_000, wholeMs: 60_000 },
}

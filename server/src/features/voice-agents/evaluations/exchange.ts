/** What was seen of a voice agent while a script was played. */

/** A tool that the voice agent called. */
export interface CalledTool {
  readonly name: string
  /** As the model wrote them, where they are no JSON object. */
  readonly arguments: unknown
  readonly answer: unknown
}

/** Something that the caller said, and all that came of it; the first one is the greeting. */
export interface Exchange {
  /** Null: the voice agent began. */
  readonly caller: string | null
  /** '' when it said nothing. */
  voice_agent: string
  readonly tool_calls: CalledTool[]
  /** Until the first words or tool, in milliseconds; null when nothing came. */
  reply_ms: number | null
}

/** How the conversation stood when the script was through. */
export interface Played {
  /** The greeting, then one for each turn that was reached. */
  readonly exchanges: readonly Exchange[]
  /** Why the script was not played to its end; null when it was, or the voice agent ended the call. */
  readonly problem: string | null
}

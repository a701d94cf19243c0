/**
 * A model that hears a caller and speaks with them, of any provider (`realtime/`, `cascaded/`). Sessions know nothing
 * else of providers.
 */
import type { EventEmitter } from 'node:events'
import type { SampleRate } from '../../lib/sound/sample-rate.js'
import type { TurnDetection } from './turn-detection.js'

/** Why a model is of no use: for the log and the session's row, not for the caller. */
export type SpeechFailureKind =
  /** No connection, or it was lost. */
  | 'unreachable'
  /** The key, the model or what was asked for is refused. */
  | 'refused'
  /** Nothing came within the deadline. */
  | 'slow'
  /** The provider said that it ends the session: its own limits, or a shutdown. */
  | 'closed'
  /** It sent data that breaks the protocol. */
  | 'protocol'

export class SpeechModelError extends Error {
  override readonly name = 'SpeechModelError'

  /** @param message may name the provider's own words, never a key */
  constructor(
    readonly kind: SpeechFailureKind,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/**
 * A failure in words for customers. Those of the network, with addresses in the operator's network, are for the log; a
 * refusal names the model or the key, which a customer can mend.
 */
export function plainReason({ kind, message }: SpeechModelError): string {
  switch (kind) {
    case 'unreachable':
      return 'the provider could not be reached, or failed'
    case 'slow':
      return 'the provider took too long to answer'
    case 'protocol':
      return 'the provider answered with something that cannot be read'
    default:
      return message
  }
}

/** A tool that a model can call, with its parameters as a JSON Schema (draft 2020-12) of an object. */
export interface SpeechTool {
  readonly name: string
  readonly description: string
  readonly parameters: object
}

/** What has been said before, in a conversation that continues after a restart. */
export interface SaidBefore {
  readonly speaker: 'caller' | 'voice_agent'
  readonly text: string
}

/** The settings of a session. */
export interface SpeechSettings {
  readonly modelId: string
  /** Null: the model's own default. */
  readonly voiceId: string | null
  readonly instructions: string
  /** 0 to 2. */
  readonly temperature: number
  readonly noiseReduction: boolean
  readonly tools: readonly SpeechTool[]
  readonly history: readonly SaidBefore[]
  /** BCP 47, from the workspace's country or the voice, if known: a hint for transcripts. */
  readonly language: string | null
  /** ISO 639: what the voice agent itself speaks, as far as it is known; English by default. */
  readonly spokenLanguage?: string
  readonly turnDetection: TurnDetection
  /** Text only, without any sound. For evaluations. */
  readonly textOnly?: boolean
}

/** What a session has used, by the provider's own count; 0 if it does not say. */
export interface SpeechUsage {
  inputTextTokens: number
  inputAudioTokens: number
  cachedTokens: number
  outputTextTokens: number
  outputAudioTokens: number
  /** Of speech to text. */
  transcribedSeconds: number
  /** Of text to speech. */
  spokenCharacters: number
}

export interface ToolCall {
  /** Names the call in its answer. */
  readonly id: string
  readonly name: string
  /** JSON, as the model wrote it: unchecked. */
  readonly arguments: string
}

export interface SpeechModelEvents {
  /** Speech of the voice agent, at the model's rate, faster than real time. `itemId` is the id of the utterance. */
  audio: [samples: Int16Array, itemId: string]
  /** All audio of an utterance has come. */
  audioDone: [itemId: string]
  /** The caller begins to speak: the voice agent stops talking now. */
  callerSpeaks: []
  /** The caller has stopped. */
  callerPauses: []
  /** The caller's words; they may come after the answer to them. `itemId` keeps the order. */
  heard: [text: string, itemId: string]
  /** The voice agent's words, all of them, also when the caller has interrupted it. */
  said: [text: string, itemId: string]
  toolCall: [call: ToolCall]
  /** A response is over: nothing more comes until the caller speaks, or the model is asked. */
  responded: []
  /** Usage since the last event. */
  usage: [used: Partial<SpeechUsage>]
  /** The model is lost: the other side has closed it. No event follows. */
  failed: [error: SpeechModelError]
}

/** One conversation. Methods do nothing once it has failed or is closed. */
export interface SpeechModel extends EventEmitter<SpeechModelEvents> {
  /** Of `hear` and of `audio`. */
  readonly sampleRate: SampleRate
  /** Connects, and has all settings taken. @throws {SpeechModelError} also when `signal` is aborted */
  open(signal: AbortSignal): Promise<void>
  /**
   * What the caller says: a frame of 20 ms at the pace of speech, silence also.
   * @param sent what has been played to the caller since the frame before, at the same rate: it may come back
   */
  hear(samples: Int16Array, sent: Int16Array): void
  /** The caller's words as text, instead of sound: for evaluations. Is answered at once. */
  read(text: string): void
  /** Says exactly this, without the model's own wit where that is possible: greetings, and a goodbye. */
  say(text: string): void
  /** Says exactly this while a tool is under way: the answer of the tool is as though it had not been said. */
  bridge(text: string): void
  /** Has the model speak by itself. @param about what it should do now; null: as it likes */
  respond(about: string | null): void
  /** Adds information that the caller does not hear: keys that were pressed, a transfer that failed. */
  instruct(text: string): void
  /**
   * The caller has interrupted: the response under way is ended.
   * @param itemId the utterance that was being heard, and how much of it, in milliseconds; null when none was
   */
  interrupt(itemId: string | null, heardMs: number): void
  /** Answers a tool's call; the model continues, unless `isLast` is set. */
  answerTool(callId: string, output: string, isLast: boolean): void
  /** Ends it without events; harmless when it is over. */
  close(): void
}

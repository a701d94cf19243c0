/**
 * Distinguishes a person from an answering machine by the audio after the answer. A person says a word or two and
 * waits; a machine keeps talking, and beeps. The times are the defaults of Twilio and Telnyx, or between them.
 */
import type { Answered } from '../../model/script-results.js'
import { frameMs } from '../../../../adapters/freeswitch/raw-audio.js'
import { VoiceActivity } from '../../../../adapters/speech/cascaded/voice-activity.js'
import { Tones } from './tones.js'

const framesOf = (ms: number) => ms / frameMs

/** Frames of initial silence after which the result is `unknown`. */
const firstSilence = framesOf(5_000)

/** A greeting this long is a machine's. */
const longGreeting = framesOf(2_400)

/** Silence after which the greeting counts as a person's. */
const waits = framesOf(1_000)

/** Silence that ends a machine's greeting without a beep. */
const endSilence = framesOf(2_000)

/** Anything shorter is a click or a breath. */
const shortestWord = framesOf(120)

const speechThreshold = 0.5

export class AnswerDetector {
  private readonly voice = new VoiceActivity(speechThreshold)
  private readonly tones: Tones
  private frames = 0
  /** Frame at which the greeting began; null before. */
  private beganAt: number | null = null
  private isMachine = false

  /**
   * @param rate samples per second
   * @param toEnd whether a machine is reported at the end of its greeting, rather than at once
   */
  constructor(
    rate: number,
    private readonly toEnd: boolean,
  ) {
    this.tones = new Tones(rate)
  }

  /**
   * @param frame 20 ms
   * @param probability that it is speech
   * @returns null while undecided
   */
  hear(frame: Int16Array, probability: number): Answered | null {
    this.frames += 1
    const tone = this.tones.hear(frame)
    if (tone === 'fax') return { answered_by: 'fax', message_end: null }
    if (tone === 'beep') return { answered_by: 'machine', message_end: 'beep' }
    if (this.voice.hear(probability)) this.beganAt ??= this.frames - this.voice.voicedFrames
    return this.beganAt === null ? this.ofSilence() : this.ofSpeech(this.beganAt)
  }

  /** The result when time is up. */
  timedOut(): Answered {
    return { answered_by: this.isMachine ? 'machine' : 'unknown', message_end: null }
  }

  private ofSilence(): Answered | null {
    return this.frames < firstSilence ? null : { answered_by: 'unknown', message_end: null }
  }

  private ofSpeech(beganAt: number): Answered | null {
    const { quietFrames, voicedFrames } = this.voice
    const length = this.frames - beganAt - quietFrames
    if (length >= longGreeting) this.isMachine = true
    if (this.isMachine) {
      if (!this.toEnd) return { answered_by: 'machine', message_end: null }
      return quietFrames < endSilence ? null : { answered_by: 'machine', message_end: 'silence' }
    }
    if (quietFrames < waits) return null
    if (voicedFrames >= shortestWord) return { answered_by: 'human', message_end: null }
    this.voice.end()
    this.voice.restart()
    this.beganAt = null
    return null
  }
}

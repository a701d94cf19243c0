import type { TurnDetection } from '../../../adapters/speech/turn-detection.js'
import type { SessionSettings } from '../../voice-agent-sessions/voice-agent-session.entity.js'

/** Turn detection of a session. Sessions that older servers started have none of these settings. */
export function turnsOf(settings: Partial<SessionSettings>): TurnDetection {
  return {
    type: settings.turn_detection ?? null,
    eagerness: settings.turn_eagerness ?? null,
    threshold: settings.turn_threshold ?? null,
    silenceMs: settings.turn_silence_ms ?? null,
    interruptionMs: settings.interruption_ms ?? null,
    ignoresBackchannels: settings.ignore_backchannels ?? true,
  }
}

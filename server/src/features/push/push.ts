/** A push as the push services see it, and its outcome. */
import type { PushFields } from './payloads.js'

/** The services: Apple's APNs, and Google's FCM, which reaches iOS apps too. */
export type PushServiceName = 'apns' | 'fcm'

/** One push to one app. */
export interface Push {
  /** A device token of APNs, which Apple gives out in hexadecimal, or a registration token of FCM. */
  token: string
  /** What the device runs. */
  platform: 'ios' | 'android'
  /** `ring` wakes the app for a call, `end` notifies it in the background that the call has stopped ringing. */
  kind: 'ring' | 'end'
  fields: PushFields
  /** The service gives up delivering it then. */
  expiresAt: Date
}

/** What a service made of a push; the reason is the service's own word for it. */
export type PushOutcome =
  | { kind: 'sent' }
  /** The app is gone from the device, or was given another token. */
  | { kind: 'dead_token'; reason: string }
  /** The service was not reached, or asks to be left alone for a while. */
  | { kind: 'failed'; reason: string }
  /** The credential, or what it is used for, is wrong: no later try can succeed before somebody changes it. */
  | { kind: 'refused'; reason: string }

/** Speaks to a push service with one credential. */
export interface PushClient {
  /** Tries once, and never throws. The signal ends the try. */
  send(push: Push, signal: AbortSignal): Promise<PushOutcome>
  /** Ends its connections; what is under way fails or is still sent. */
  close(): void
}

/** An error's reason as the API shows it: one line, no control characters. */
export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.replaceAll(/\p{Cc}+/gu, ' ').slice(0, 200)
}

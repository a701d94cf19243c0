/**
 * Keys as tones in the sound, for far ends that have no other way: phones and carriers whose SDP has no telephone-event
 * (RFC 4733), such as analogue adapters. The switch listens for their keys (mod_dptools, `start_dtmf`), and sends keys for
 * them as tones (`start_dtmf_generate`).
 *
 * Between two far ends tones pass in the sound itself. So there the switch does not listen: the other one would get each
 * key twice, as a tone and as an event.
 */
import type { SwitchEvent } from './switch-event.js'

/**
 * The detector is made for this rate, and shares its coefficients between all channels: one of another rate would make it
 * deaf on all others (libteletone_detect.c, `teletone_dtmf_detect_init`).
 */
const sampleRate = 8_000

/** Of the switch: the SDP of the far end has no telephone-event (switch_core_media.c). */
const noEvents = 'info'

export class SoundKeys {
  private isNeeded = false
  private listens = false

  /** @param execute runs an application on the channel, in parallel to others */
  constructor(private readonly execute: (application: string, argument: string) => Promise<void>) {}

  /** Checks an answered channel of a phone or carrier. @param isIdle without a bridge */
  update(event: SwitchEvent, isIdle: boolean): void {
    const needed =
      event.variable('dtmf_type') === noEvents && Number(event.get('Channel-Read-Codec-Rate')) === sampleRate
    if (needed && !this.isNeeded) this.begin('start_dtmf_generate', 'write')
    this.isNeeded ||= needed
    if (isIdle) this.resume()
  }

  /** Restores the state of a channel that the previous process has looked at. */
  restore(dtmfType: string | undefined, rate: number, isIdle: boolean): void {
    this.isNeeded = dtmfType === noEvents && rate === sampleRate
    if (isIdle) this.resume()
  }

  /** It is joined with another far end next. */
  pause(): void {
    if (!this.isNeeded) return
    this.listens = false
    this.begin('stop_dtmf')
  }

  /** It is not joined with another far end. */
  resume(): void {
    if (!this.isNeeded || this.listens) return
    this.listens = true
    // The previous process may have begun it, and the switch would warn of a second one.
    this.begin('stop_dtmf')
    this.begin('start_dtmf')
  }

  /** A channel that has just gone needs none. */
  private begin(application: string, argument = ''): void {
    this.execute(application, argument).catch(() => undefined)
  }
}

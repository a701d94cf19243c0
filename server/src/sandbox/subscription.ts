/** Which events a client has asked for, and in which format. */
import type { SwitchEvent } from './event-bus.js'

/** The events that FreeSWITCH 1.10 knows and anybody here might ask for; other names are not counted. */
const KNOWN = new Set(
  `ALL API BACKGROUND_JOB CALL_UPDATE CHANNEL_ANSWER CHANNEL_APPLICATION CHANNEL_BRIDGE CHANNEL_CALLSTATE
  CHANNEL_CREATE CHANNEL_DATA CHANNEL_DESTROY CHANNEL_EXECUTE CHANNEL_EXECUTE_COMPLETE CHANNEL_HANGUP
  CHANNEL_HANGUP_COMPLETE CHANNEL_HOLD CHANNEL_ORIGINATE CHANNEL_OUTGOING CHANNEL_PARK CHANNEL_PROGRESS
  CHANNEL_PROGRESS_MEDIA CHANNEL_STATE CHANNEL_UNBRIDGE CHANNEL_UNHOLD CHANNEL_UNPARK CHANNEL_UUID CODEC
  CUSTOM DETECTED_SPEECH DTMF HEARTBEAT MEDIA_BUG_START MEDIA_BUG_STOP MESSAGE NOTALK PLAYBACK_START
  PLAYBACK_STOP PRESENCE_IN PRIVATE_COMMAND RE_SCHEDULE RECORD_START RECORD_STOP SHUTDOWN STARTUP TALK
  TRAP`.split(/\s+/),
)
const MOST_FILTERS = 10_000

export class Subscription {
  format: 'json' | 'plain' = 'plain'
  readonly #names = new Set<string>()
  #filters: { header: string; value: string }[] = []

  wants(name: string): boolean {
    return this.#names.has(name) || this.#names.has('ALL')
  }

  /** With filters only events pass that one of them matches; and none that one with a minus does (mod_event_socket.c). */
  passes({ headers }: SwitchEvent): boolean {
    let passes = this.#filters.length === 0
    for (const { header, value } of this.#filters) {
      const text = headers[header]
      if (text === undefined || !matches(value, text)) continue
      if (isNegative(value)) return false
      passes = true
    }
    return passes
  }

  /** @returns the reply's text */
  change(verb: 'event' | 'nixevent' | 'noevents' | 'filter', rest: string): string {
    if (verb === 'filter') return this.#filter(rest)
    if (verb === 'noevents') {
      if (this.#names.size === 0) return '-ERR not listening for events'
      this.#names.clear()
      return '+OK no longer listening for events'
    }
    const words = rest.split(/ +/).filter(Boolean)
    if (verb === 'event') {
      const format = words[0]?.toLowerCase()
      if (format === 'xml') return '-ERR the sandbox sends plain and json only'
      if (format === 'json' || format === 'plain') {
        this.format = format
        words.shift()
      }
    }
    const names = words.map((word) => word.toUpperCase()).filter((name) => KNOWN.has(name))
    if (names.length === 0) return '-ERR no keywords supplied'
    if (verb === 'event') {
      for (const name of names) this.#names.add(name)
      return `+OK event listener enabled ${this.format}`
    }
    for (const name of names) this.#nix(name)
    return '+OK events nixed'
  }

  #nix(name: string): void {
    if (name === 'ALL') {
      this.#names.clear()
      return
    }
    if (this.#names.delete('ALL')) for (const known of KNOWN) if (known !== 'ALL') this.#names.add(known)
    this.#names.delete(name)
  }

  #filter(rest: string): string {
    const [verb = '', ...words] = rest.split(/ +/)
    if (verb.toLowerCase() === 'delete' && words[0]) {
      const [header, ...value] = words
      const text = value.join(' ')
      this.#filters =
        header === 'all'
          ? []
          : this.#filters.filter((filter) => filter.header !== header || (text && filter.value !== text))
      return `+OK filter deleted. [${header}][${text}]`
    }
    const [header, ...value] = verb.toLowerCase() === 'add' ? words : [verb, ...words]
    if (!header || value.length === 0) return '-ERR invalid syntax'
    if (this.#filters.length >= MOST_FILTERS) return '-ERR too many filters'
    this.#filters.push({ header, value: value.join(' ') })
    return `+OK filter added. [${header}]=[${value.join(' ')}]`
  }
}

function isNegative(value: string): boolean {
  return /^[ +-]*-[ ]*[^ +-]/.test(value)
}

/** A value between slashes is a regular expression; any other is compared as a whole, whatever its case. */
function matches(value: string, text: string): boolean {
  const [, expression] = /^\/(.*)\/i?$/.exec(value) ?? []
  if (expression === undefined) return value.replace(/^[ +-]+/, '').toLowerCase() === text.toLowerCase()
  try {
    return new RegExp(expression, value.endsWith('i') ? 'i' : '').test(text)
  } catch {
    return false
  }
}

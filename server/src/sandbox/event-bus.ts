/** Events of the simulated switch and the headers that all of them carry. */
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'

export type Headers = Record<string, string>

export interface SwitchEvent {
  name: string
  headers: Headers
  body: string
}

export interface EventListener {
  wants(name: string): boolean
  take(event: SwitchEvent): void
}

/** Microseconds since 1970, as FreeSWITCH counts. */
export function micros(): number {
  return Math.round((performance.timeOrigin + performance.now()) * 1000)
}

/** `2026-11-21 07:07:30` in local time. */
export function stamp(us: number): string {
  const date = new Date(us / 1000)
  const two = (value: number) => String(value).padStart(2, '0')
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-')
  return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':')}`
}

export class EventBus {
  /** New at every start: how the server knows that the switch was restarted. */
  readonly coreUuid = randomUUID()
  readonly hostname = hostname()
  #sequence = 0
  readonly #listeners = new Set<EventListener>()

  constructor(readonly switchName: string) {}

  listen(listener: EventListener): void {
    this.#listeners.add(listener)
  }

  forget(listener: EventListener): void {
    this.#listeners.delete(listener)
  }

  /** Headers are asked for only when somebody listens. */
  emit(name: string, headers: () => Headers, body = ''): void {
    this.#sequence++
    const takers = [...this.#listeners].filter((listener) => listener.wants(name))
    if (takers.length === 0) return
    const event: SwitchEvent = { name, headers: { ...this.common(name), ...headers() }, body }
    for (const taker of takers) taker.take(event)
  }

  /** Headers of every event. */
  common(name: string): Headers {
    const now = micros()
    return {
      'Event-Name': name,
      'Core-UUID': this.coreUuid,
      'FreeSWITCH-Hostname': this.hostname,
      'FreeSWITCH-Switchname': this.switchName,
      'FreeSWITCH-IPv4': '127.0.0.1',
      'FreeSWITCH-IPv6': '::1',
      'Event-Date-Local': stamp(now),
      'Event-Date-GMT': new Date(now / 1000).toUTCString(),
      'Event-Date-Timestamp': String(now),
      'Event-Calling-File': 'sandbox',
      'Event-Calling-Function': 'sandbox',
      'Event-Calling-Line-Number': '0',
      'Event-Sequence': String(this.#sequence),
    }
  }
}

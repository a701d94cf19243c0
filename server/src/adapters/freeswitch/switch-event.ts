/** As the switch sends them; `_body` is the event's body. */
export type EventHeaders = Readonly<Record<string, string | undefined>>

/** An event of the switch: its headers by name. */
export class SwitchEvent {
  readonly name: string
  readonly body: string

  constructor(private readonly headers: EventHeaders) {
    this.name = headers['Event-Name'] ?? ''
    this.body = headers['_body'] ?? ''
  }

  get(header: string): string | undefined {
    return this.headers[header]
  }

  /** A channel variable. */
  variable(name: string): string | undefined {
    return this.get(`variable_${name}`)
  }

  /** The channel that it is about. */
  get channelId(): string | undefined {
    return this.get('Unique-ID')
  }

  /** When the switch made it. */
  get date(): Date {
    return microseconds(this.get('Event-Date-Timestamp')) ?? new Date()
  }

  /** A moment such as `Caller-Channel-Answered-Time`; null when it has not come. */
  moment(header: string): Date | null {
    return microseconds(this.get(header))
  }
}

/** Microseconds since 1970 as the switch writes them; 0 means never. */
export function microseconds(text: string | undefined): Date | null {
  const value = Number(text)
  return value > 0 ? new Date(Math.round(value / 1000)) : null
}

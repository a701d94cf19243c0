/** Which subjects an event is for, and which streams get it. */

/** A person with a token: an agent, by its id (`ag_…`), or a customer's client, by the `sub` of its tokens. */
export interface Subject {
  readonly kind: 'agent' | 'client'
  readonly id: string
}

/** A live stream. */
export interface Subscriber extends Subject {
  /** `str_…` */
  readonly stream_id: string
  readonly workspace_id: string
  /** The call that the stream is about; null for a stream of all the subject's events. */
  readonly call_id: string | null
  /** The source of its token: an agent's session (`ses_…`), or the key that signed a client's token (`sid-…`). */
  readonly credential: string
  /** The device on which an agent has logged in, or that a client's app names; null if it names none. */
  readonly device_id: string | null
}

/** Recipients of an event; each gets it once. */
export interface Audience {
  /** By id. */
  readonly agents?: readonly string[]
  /** By `sub`. */
  readonly clients?: readonly string[]
  /** Every agent of the workspace. */
  readonly everyAgent?: boolean
  /** Streams about the event's call: all of them, or only those of agents. */
  readonly watchers?: 'all' | 'agents'
  /** Limits client watchers to these, by `sub`; without it all clients get the event. */
  readonly watchingClients?: readonly string[]
}

/** The fields that decide which streams get an event. */
export interface Addressed {
  readonly workspace_id: string
  /** The call that it is about. */
  readonly call_id: string | null
  readonly to: Audience
  /** Each stream has its own data. Streams about a call do not get personal events. */
  readonly personal: boolean
}

export function subjectKey({ kind, id }: Subject): string {
  return `${kind}:${id}`
}

/** Whether a stream gets an event of its workspace. */
export function reaches({ call_id, to, personal }: Addressed, stream: Subscriber): boolean {
  const named = isNamed(to, stream)
  if (stream.call_id === null) return named
  if (personal || stream.call_id !== call_id) return false
  if (named || to.watchers === undefined) return named
  if (stream.kind === 'agent') return true
  return to.watchers === 'all' && (to.watchingClients?.includes(stream.id) ?? true)
}

function isNamed({ agents, clients, everyAgent }: Audience, { kind, id }: Subject): boolean {
  if (kind === 'client') return clients?.includes(id) ?? false
  return everyAgent === true || (agents?.includes(id) ?? false)
}

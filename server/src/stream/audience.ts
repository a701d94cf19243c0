/** Whom an event is for, and which streams that means. */

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
  /** The call that the stream is about; null for a stream of everything that is the subject's. */
  readonly call_id: string | null
  /** What its token comes from: an agent's session (`ses_…`), or the key that signed a client's token (`sid-…`). */
  readonly credential: string
  /** The device that an agent has logged in on, or that a client's app says it is on; null where it says nothing. */
  readonly device_id: string | null
}

/** All of those named, each once. */
export interface Audience {
  /** By id. */
  readonly agents?: readonly string[]
  /** By `sub`. */
  readonly clients?: readonly string[]
  /** Every agent of the workspace. */
  readonly everyAgent?: boolean
  /** Whoever has a stream about the event's call: all of them, or the agents among them. */
  readonly watchers?: 'all' | 'agents'
  /** Of all watchers only these clients, by `sub`; without it every one. */
  readonly watchingClients?: readonly string[]
}

/** What decides who gets an event. */
export interface Addressed {
  readonly workspace_id: string
  /** The call that it is about. */
  readonly call_id: string | null
  readonly to: Audience
  /** Made for one stream and no other: streams about a call do not get such events. */
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

/** The users who are being rung, by call. */
import type { AppUser } from '../model/app-user.js'
import { EventEmitter } from 'node:events'
import type { CallTokenClaims } from '../model/call-token.js'
import type { IncomingCall } from './incoming-call.js'

/** Identifies a user's part in a call; an agent can both supervise a call and be rung for it. */
type RingKey = Pick<CallTokenClaims, 'call_id' | 'kind' | 'sub' | 'mode'>

export class IncomingCalls extends EventEmitter<{ opened: [] }> {
  private readonly open = new Map<string, IncomingCall>()
  private readonly ofCalls = new Map<string, Set<IncomingCall>>()

  constructor() {
    super()
    this.setMaxListeners(0)
  }

  find(key: RingKey): IncomingCall | undefined {
    return this.open.get(keyOf(key))
  }

  /** The agents and clients that a call rings. */
  peopleOf(callId: string): AppUser[] {
    const incomingCalls = this.ofCalls.get(callId) ?? []
    return [...incomingCalls].map(({ request: { person } }) => ({ kind: person.kind, sub: person.sub }))
  }

  /**
   * Registers a ring, so that apps can find it.
   * @returns a function that removes it
   */
  add(ring: IncomingCall): () => void {
    const { call, person, mode } = ring.request
    const key = keyOf({ call_id: call.id, ...person, ...(mode && { mode }) })
    this.open.set(key, ring)
    const ofCall = this.ofCalls.get(call.id) ?? new Set<IncomingCall>()
    this.ofCalls.set(call.id, ofCall.add(ring))
    this.emit('opened')
    return () => {
      if (this.open.get(key) === ring) this.open.delete(key)
      ofCall.delete(ring)
      if (ofCall.size === 0 && this.ofCalls.get(call.id) === ofCall) this.ofCalls.delete(call.id)
    }
  }
}

function keyOf({ call_id, kind, sub, mode }: RingKey): string {
  return [call_id, kind, sub, mode ? 'supervision' : ''].join(' ')
}

/** Agents who are in a call, or ring for one: servers that drive calls share them with the others. */
import { EventEmitter } from 'node:events'
import type { AgentClaims } from '../dialling/agent-claims.js'
import type { AgentPresence } from '../../agents/agent-state.js'
import type { CallOwnership } from './call-ownership.js'
import type { Servers } from '../../cluster/servers.js'

/** Asks a server that drives calls for all agents of its calls. */
const question = 'taken.all'

/** A presence on its way to another server: a date is text then. */
type SentPresence = Omit<AgentPresence, 'since'> & { readonly since?: string }

interface Taken {
  /** Whether these are all agents of that server's calls, or only those that have changed; null for one that is free. */
  readonly all: boolean
  readonly agents: readonly (readonly [agentId: string, presence: SentPresence | null])[]
}

interface TakenEvents {
  /** An agent has no call of another server any more. */
  freed: [agentId: string]
}

export class RemoteAgentClaims extends EventEmitter<TakenEvents> {
  /** Agents in calls of each server that has sent all of them, by the server's id. */
  private readonly known = new Map<string, Map<string, AgentPresence>>()

  constructor(
    private readonly servers: Servers,
    private readonly driver: CallOwnership,
  ) {
    super()
    servers.onShared('taken', (taken: Taken, from) => this.receive(taken, from))
    servers.on('alive', (serverId, drives) => {
      if (drives !== null && !this.known.has(serverId)) servers.notify(serverId, question, null)
    })
    servers.on('gone', (serverId) => {
      const agents = [...(this.known.get(serverId)?.keys() ?? [])]
      this.known.delete(serverId)
      for (const id of agents) this.emit('freed', id)
    })
  }

  /** Shares the agents of this server's calls with the others. */
  shareClaims(claims: AgentClaims): void {
    const { servers, driver } = this
    const publishAll = () => {
      if (!driver.isHere) return
      const agents = [...claims.taken()].map(([id, presence]) => [id, sent(presence)] as const)
      servers.share('taken', { all: true, agents } satisfies Taken)
    }
    servers.on('hello', publishAll)
    // Changes while the others were out of reach.
    servers.on('found', publishAll)
    servers.onNotice(question, publishAll)
    claims.on('restored', publishAll)
    const publish = (id: string) => {
      const presence = claims.presenceOf(id)
      const agents = [[id, presence ? sent(presence) : null]] as const
      servers.share('taken', { all: false, agents } satisfies Taken)
    }
    claims.on('changed', (id) => {
      // The others ring an agent at once, and only once: the reservation must be gone by then.
      if (claims.presenceOf(id)) publish(id)
      else void claims.givenUp(id).then(() => publish(id))
    })
  }

  /** Whether an agent has a call of another server that drives calls. */
  has(agentId: string): boolean {
    return this.drivers.some(([, server]) => this.known.get(server)?.has(agentId))
  }

  /** Agents in calls of other servers, as far as these have sent them. */
  get presences(): Map<string, AgentPresence> {
    const presences = new Map<string, AgentPresence>()
    for (const [, server] of this.drivers) {
      for (const [id, presence] of this.known.get(server) ?? []) {
        if (presences.get(id)?.state !== 'incall') presences.set(id, presence)
      }
    }
    return presences
  }

  /** Cells whose servers have sent all agents of their calls. */
  get cells(): ReadonlySet<string> {
    return new Set(this.drivers.filter(([, server]) => this.known.has(server)).map(([cell]) => cell))
  }

  /** Whether other servers drive all calls, and all of these servers have sent their agents. */
  get isAll(): boolean {
    const { elsewhere } = this.driver
    return elsewhere !== null && this.drivers.every(([, server]) => this.known.has(server))
  }

  private get drivers(): (readonly [cell: string, serverId: string])[] {
    return [...this.driver.others]
  }

  private receive({ all, agents }: Taken, from: string): void {
    const before = this.known.get(from)
    if (!all && !before) return
    const known = all || !before ? new Map<string, AgentPresence>() : before
    this.known.set(from, known)
    for (const [id, presence] of agents) {
      if (presence) known.set(id, received(presence))
      else if (known.delete(id)) this.emit('freed', id)
    }
    for (const id of before?.keys() ?? []) if (!known.has(id)) this.emit('freed', id)
  }
}

function sent({ state, is_ringing, call_id, since }: AgentPresence): SentPresence {
  return {
    state,
    ...(is_ringing && { is_ringing }),
    ...(call_id && { call_id }),
    ...(since && { since: since.toISOString() }),
  }
}

function received({ since, ...presence }: SentPresence): AgentPresence {
  return { ...presence, ...(since && { since: new Date(since) }) }
}

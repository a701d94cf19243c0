/** Agents who have a call, or are rung for one, as servers that drive calls tell the others. */
import { EventEmitter } from 'node:events'
import type { AgentClaims } from '../calls/agent-claims.js'
import type { Reach } from '../presence/agent-state.js'
import type { CallDriver } from './call-driver.js'
import type { Servers } from './servers.js'

/** Asks a server that drives calls to tell of all agents of theirs. */
const question = 'taken.all'

/** A reach on its way: a date is text then. */
type SentReach = Omit<Reach, 'since'> & { readonly since?: string }

interface Taken {
  /** All there are, by agent; or those who have changed, null for who is free. */
  readonly all: boolean
  readonly agents: readonly (readonly [agentId: string, reach: SentReach | null])[]
}

interface TakenEvents {
  /** An agent has no call of another server any more. */
  freed: [agentId: string]
}

export class AgentsTaken extends EventEmitter<TakenEvents> {
  /** What servers have told that have told of all, by their ids. */
  private readonly told = new Map<string, Map<string, Reach>>()

  constructor(
    private readonly servers: Servers,
    private readonly driver: CallDriver,
  ) {
    super()
    servers.onShared('taken', (taken: Taken, from) => this.hear(taken, from))
    servers.on('alive', (serverId, drives) => {
      if (drives !== null && !this.told.has(serverId)) servers.notify(serverId, question, null)
    })
    servers.on('gone', (serverId) => {
      const agents = [...(this.told.get(serverId)?.keys() ?? [])]
      this.told.delete(serverId)
      for (const id of agents) this.emit('freed', id)
    })
  }

  /** Tells the others of the calls of this server. */
  tellOf(claims: AgentClaims): void {
    const { servers, driver } = this
    const tellAll = () => {
      if (!driver.isHere) return
      const agents = [...claims.taken()].map(([id, reach]) => [id, sent(reach)] as const)
      servers.share('taken', { all: true, agents } satisfies Taken)
    }
    servers.on('hello', tellAll)
    // What has changed while others could not be told.
    servers.on('found', tellAll)
    servers.onNotice(question, tellAll)
    claims.on('restored', tellAll)
    const tell = (id: string) => {
      const reach = claims.reachOf(id)
      const agents = [[id, reach ? sent(reach) : null]] as const
      servers.share('taken', { all: false, agents } satisfies Taken)
    }
    claims.on('changed', (id) => {
      // They ring an agent as soon as they hear of it, and once only: the claim must be gone by then.
      if (claims.reachOf(id)) tell(id)
      else void claims.givenUp(id).then(() => tell(id))
    })
  }

  /** Whether an agent has a call of another server that drives calls. */
  has(agentId: string): boolean {
    return this.drivers.some(([, server]) => this.told.get(server)?.has(agentId))
  }

  /** Agents of the calls of other servers, as far as these have told. */
  get reaches(): Map<string, Reach> {
    const reaches = new Map<string, Reach>()
    for (const [, server] of this.drivers) {
      for (const [id, reach] of this.told.get(server) ?? []) {
        if (reaches.get(id)?.state !== 'incall') reaches.set(id, reach)
      }
    }
    return reaches
  }

  /** Cells whose servers have told of all agents of theirs. */
  get cells(): ReadonlySet<string> {
    return new Set(this.drivers.filter(([, server]) => this.told.has(server)).map(([cell]) => cell))
  }

  /** Whether all calls are those of other servers, and all of these have told. */
  get isAll(): boolean {
    const { elsewhere } = this.driver
    return elsewhere !== null && this.drivers.every(([, server]) => this.told.has(server))
  }

  private get drivers(): (readonly [cell: string, serverId: string])[] {
    return [...this.driver.others]
  }

  private hear({ all, agents }: Taken, from: string): void {
    const before = this.told.get(from)
    if (!all && !before) return
    const known = all || !before ? new Map<string, Reach>() : before
    this.told.set(from, known)
    for (const [id, reach] of agents) {
      if (reach) known.set(id, received(reach))
      else if (known.delete(id)) this.emit('freed', id)
    }
    for (const id of before?.keys() ?? []) if (!known.has(id)) this.emit('freed', id)
  }
}

function sent({ state, call_id, since }: Reach): SentReach {
  return { state, ...(call_id && { call_id }), ...(since && { since: since.toISOString() }) }
}

function received({ since, ...reach }: SentReach): Reach {
  return { ...reach, ...(since && { since: new Date(since) }) }
}

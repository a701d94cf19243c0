/** Agents who have a call, or are rung for one, as the server that drives the calls tells the others. */
import type { AgentClaims } from '../calls/agent-claims.js'
import type { Reach } from '../presence/agent-state.js'
import type { CallDriver } from './call-driver.js'
import type { Servers } from './servers.js'

/** A reach on its way: a date is text then. */
type SentReach = Omit<Reach, 'since'> & { readonly since?: string }

interface Taken {
  /** All there are, by agent; or those who have changed, null for who is free. */
  readonly all: boolean
  readonly agents: readonly (readonly [agentId: string, reach: SentReach | null])[]
}

export class AgentsTaken {
  private readonly elsewhere = new Map<string, Reach>()
  /** The server that has told of all. */
  private from: string | null = null

  constructor(
    claims: AgentClaims,
    servers: Servers,
    private readonly driver: CallDriver,
  ) {
    const tellAll = () => {
      if (!driver.isHere) return
      const agents = [...claims.taken()].map(([id, reach]) => [id, sent(reach)] as const)
      servers.share('taken', { all: true, agents } satisfies Taken)
    }
    servers.on('hello', tellAll)
    claims.on('restored', tellAll)
    claims.on('changed', (id) => {
      const reach = claims.reachOf(id)
      const agents = [[id, reach ? sent(reach) : null]] as const
      servers.share('taken', { all: false, agents } satisfies Taken)
    })
    servers.onShared('taken', (taken: Taken, from) => this.hear(taken, from))
  }

  /** Those of the calls of another server; null where none drives them, or it has not told yet. */
  get known(): ReadonlyMap<string, Reach> | null {
    const { elsewhere } = this.driver
    return elsewhere !== null && elsewhere === this.from ? this.elsewhere : null
  }

  private hear({ all, agents }: Taken, from: string): void {
    if (all) {
      this.elsewhere.clear()
      this.from = from
    } else if (from !== this.from) return
    for (const [id, reach] of agents) {
      if (reach) this.elsewhere.set(id, received(reach))
      else this.elsewhere.delete(id)
    }
  }
}

function sent({ state, call_id, since }: Reach): SentReach {
  return { state, ...(call_id && { call_id }), ...(since && { since: since.toISOString() }) }
}

function received({ since, ...reach }: SentReach): Reach {
  return { ...reach, ...(since && { since: new Date(since) }) }
}

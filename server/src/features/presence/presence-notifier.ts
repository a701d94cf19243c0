/**
 * Publishes `workspace.agent.state` to the streams of the workspace's agents. Features report that something changed
 * for an agent. The agent's state is derived a moment later, together for all agents with changes, and published if it
 * differs from the last one.
 */
import type { Logger } from 'pino'
import type { Database } from '../../infrastructure/database/database.js'
import type { EventHub } from '../realtime/event-hub.js'
import { grouped } from '../../lib/grouped.js'
import { CoalescedTask } from '../../lib/coalesced-task.js'
import type { ShownState } from '../agents/agent-state.js'
import type { Presence } from './presence.js'
import type { SeenStates } from './seen-states.js'

/** Changes within this time, such as a ring that ends with an answer, are looked at once. */
const gatheringMs = 20

/** Shortest pause between two looks. */
const pauseMs = 30

/** Looks are further apart while many changes go to many streams, so that publishing them leaves time for calls. */
const framesAMs = 50
const longestPauseMs = 2_000

/** Agents of one look. */
const lookedAtOnce = 1_000

interface Parts {
  database: Database
  presence: Presence
  seen: SeenStates
  hub: Pick<EventHub, 'publish' | 'streamsIn'>
  log: Logger
}

interface NamedAgent {
  id: string
  workspace_id: string
  username: string
  display_name: string
}

export class PresenceNotifier {
  private readonly changed = new Set<string>()
  private readonly addresses = new Map<string, [username: string, domain: string]>()
  /** Workspaces of which all agents were looked at. */
  private readonly known = new Set<string>()
  private readonly publishing: CoalescedTask

  constructor(private readonly parts: Parts) {
    const failure = ['presence.publish_failed', 'states of agents could not be published'] as const
    this.publishing = new CoalescedTask({ gatherMs: gatheringMs, log: parts.log, failure }, async () => {
      try {
        const frames = await this.publish()
        return Math.min(Math.max(pauseMs, frames / framesAMs), longestPauseMs)
      } finally {
        if (this.changed.size + this.addresses.size > 0) this.publishing.soon()
      }
    })
  }

  /** Something has changed for an agent, though perhaps not their state. */
  agentChanged(agentId: string): void {
    this.changed.add(agentId)
    this.publishing.soon()
  }

  /** A phone was registered at a SIP address, or is gone; the address may be an agent's. */
  addressChanged(username: string, domain: string): void {
    this.addresses.set(`${username}@${domain}`, [username, domain])
    this.publishing.soon()
  }

  /** Workspaces whose agents have been looked at. */
  workspaces(): readonly string[] {
    return [...this.known]
  }

  /** A workspace has no listeners any more: all its agents are looked at again when it has. */
  forget(workspaceId: string): void {
    this.known.delete(workspaceId)
  }

  /** Publishes nothing more. */
  async stop(): Promise<void> {
    await this.publishing.stop()
  }

  /** @returns how many times an event was sent */
  private async publish(): Promise<number> {
    await this.resolveAddresses()
    const ids = [...this.changed].slice(0, lookedAtOnce)
    for (const id of ids) this.changed.delete(id)
    if (ids.length === 0) return 0
    const agents: NamedAgent[] = await this.parts.database.source.query(
      'SELECT id, workspace_id, username, display_name FROM agents WHERE id IN (?)',
      [ids],
    )
    const workspaces = grouped(agents, ({ workspace_id }) => workspace_id)
    const frames = await Promise.all([...workspaces].map(async (entry) => this.publishChanges(...entry)))
    return frames.reduce((sum, count) => sum + count, 0)
  }

  private async resolveAddresses(): Promise<void> {
    const addresses = [...this.addresses].slice(0, lookedAtOnce)
    for (const [key] of addresses) this.addresses.delete(key)
    if (addresses.length === 0) return
    const rows: { id: string }[] = await this.parts.database.source.query(
      'SELECT id FROM agents WHERE (username, domain) IN (?)',
      [addresses.map(([, address]) => address)],
    )
    for (const { id } of rows) this.changed.add(id)
  }

  private async publishChanges(workspaceId: string, agents: readonly NamedAgent[]): Promise<number> {
    const { presence, hub } = this.parts
    const ids = agents.map(({ id }) => id)
    const isKnown = this.known.has(workspaceId)
    if (!isKnown) await this.learn(workspaceId, new Set(ids))
    const stateOf = await presence.of({ id: workspaceId }, ids)
    let published = 0
    for (const { id, username, display_name } of agents) {
      const shown = this.newStateOf({ id, workspace_id: workspaceId }, stateOf(id), isKnown)
      if (!shown) continue
      const { state, is_ringing, since, call_id, reason } = shown
      published += 1
      hub.publish({
        workspace_id: workspaceId,
        event: 'workspace.agent.state',
        to: { everyAgent: true },
        data: {
          ...{ agent_id: id, username, display_name, state, is_ringing, call_id, reason },
          since: since?.toISOString() ?? null,
        },
      })
    }
    return published === 0 ? 0 : published * [...hub.streamsIn({ id: workspaceId })].length
  }

  /**
   * Notes the states of a workspace's other agents when this server looks at it for the first time. It is not known
   * since when they have them. A state may be new all the same, and be reported in the next moment: then it is
   * published.
   */
  private async learn(workspaceId: string, changed: ReadonlySet<string>): Promise<void> {
    const online = await this.parts.presence.onlineIn({ id: workspaceId })
    const { seen } = this.parts
    for (const [id, shown] of online) {
      // Another server may have published it already.
      const isPublished = seen.find(id)?.published === true && seen.since(id, shown.state) !== null
      if (!changed.has(id) && !isPublished)
        seen.note(id, { ...shown, workspace_id: workspaceId, published: false })
    }
    this.known.add(workspaceId)
  }

  /** Notes a state. @returns undefined if it was published before */
  private newStateOf(
    { id, workspace_id }: Pick<NamedAgent, 'id' | 'workspace_id'>,
    shown: ShownState,
    isKnown: boolean,
  ): ShownState | undefined {
    const { seen } = this.parts
    const before = seen.find(id)
    const { state, is_ringing, call_id, reason } = shown
    const isSame =
      before?.state === state &&
      before.is_ringing === is_ringing &&
      before.call_id === call_id &&
      before.reason === reason
    if (before?.published && isSame) return undefined
    // An agent that was never seen was offline.
    if (!before && isKnown && state === 'offline') return undefined
    const isNew = before ? before.state !== state : state !== 'offline'
    const since = isNew && call_id === null ? new Date() : shown.since
    const now = { state, is_ringing, since, call_id, reason }
    seen.note(id, { ...now, workspace_id, published: true })
    return now
  }
}

/** Live status of every part of the platform. A part that does not answer in time is reported as down. */
import type { Database } from '../../infrastructure/database/database.js'
import type { EdgeClient } from '../../adapters/kamailio/edge-client.js'
import type { Servers } from '../cluster/servers.js'
import type { SwitchStatus } from '../../adapters/freeswitch/switch-status.js'
import { apiVersion } from '../../lib/version.js'
import { answerWithin } from './answer-within.js'
import { databaseFacts } from './database-facts.js'
import type { OperatorStatus, ServerFacts } from './status.schema.js'
import type { OperatorWork } from './work.js'

interface Parts {
  readonly database: Database
  readonly work: OperatorWork
  readonly edge: EdgeClient
  readonly servers: Servers
  /** This server among all, and the others that have been heard of late. */
  readonly serverIds: () => { own: string; others: string[] }
  readonly facts: () => Promise<ServerFacts>
  /** What the switch says, where this server is linked to it. @throws where it is not */
  readonly switchStatus: () => Promise<SwitchStatus>
  /** Whether Redis carries; null where none is configured. */
  readonly redis: () => boolean | null
}

/** What one server knows that others do not. */
interface ServerReport {
  readonly facts: ServerFacts
  /** Null where it is not linked to the switch. */
  readonly switch: SwitchStatus | null
}

const question = 'operator-status'

/** A part that does not answer within this time, in milliseconds, is down. */
const patienceMs = 3_000

/** Deadline of another server, which itself waits for the switch. */
const othersPatienceMs = 5_000

export class OperatorStatusService {
  constructor(private readonly parts: Parts) {
    parts.servers.onAsked(question, async () => this.report())
  }

  async look(): Promise<OperatorStatus> {
    const { database, work, edge, redis } = this.parts
    const [servers, databaseSeen, workSeen, edgeSeen] = await Promise.all([
      this.servers(),
      answerWithin(patienceMs, async () => databaseFacts(database)),
      answerWithin(patienceMs, async () => work.look()),
      edge.isConfigured ? answerWithin(patienceMs, async () => edge.status()) : null,
    ])
    const switchSeen =
      servers.map(({ report }) => report?.switch ?? null).find((seen) => seen !== null) ?? null
    const redisUp = redis()
    const parts = {
      database: { state: stateOf(databaseSeen), facts: databaseSeen },
      switch: { state: stateOf(switchSeen), facts: switchSeen },
      edge: { state: edge.isConfigured ? stateOf(edgeSeen) : ('absent' as const), facts: edgeSeen },
      redis: {
        state: redisUp === null ? ('absent' as const) : redisUp ? ('up' as const) : ('down' as const),
      },
    }
    const shown = servers.map(({ id, is_this, report }) => ({
      ...{ id, is_this },
      ...{ state: stateOf(report), facts: report?.facts ?? null },
    }))
    const isDown = [...Object.values(parts), ...shown].some(({ state }) => state === 'down')
    return {
      checked_at: new Date().toISOString(),
      state: isDown ? 'degraded' : 'ok',
      version: apiVersion,
      servers: shown,
      ...parts,
      work: workSeen,
    }
  }

  private async servers() {
    const { own, others } = this.parts.serverIds()
    return Promise.all([
      this.report().then((report) => ({ id: own, is_this: true, report })),
      ...others.toSorted().map(async (id) => ({
        ...{ id, is_this: false },
        report: await answerWithin(
          othersPatienceMs,
          async () => (await this.parts.servers.ask(id, question, {})) as ServerReport,
        ),
      })),
    ])
  }

  private async report(): Promise<ServerReport> {
    const { facts, switchStatus } = this.parts
    const [own, seen] = await Promise.all([facts(), answerWithin(patienceMs, switchStatus)])
    return { facts: own, switch: seen }
  }
}

function stateOf(seen: object | null): 'up' | 'down' {
  return seen === null ? 'down' : 'up'
}

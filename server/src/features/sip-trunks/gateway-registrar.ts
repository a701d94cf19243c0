/**
 * Keeps gateways registered. Each binding has a moment when its next REGISTER is due; of several servers one takes it in hand.
 * It is sent by the edge that sent the last one for as long as that answers, so that one edge alone has a gateway's calls.
 */
import type { Logger } from 'pino'
import { IsNull, Not } from 'typeorm'
import type { Database } from '../../infrastructure/database/database.js'
import type { Edge, Edges } from '../../adapters/kamailio/edges.js'
import { grouped } from '../../lib/grouped.js'
import { RepeatingTask } from '../../lib/repeating-task.js'
import { EdgeAnswers } from './edge-starts.js'
import { GatewayRegistration, type RegistrarTarget } from './gateway-registration.entity.js'
import type { GatewayRegistrations } from './gateway-registrations.js'
import type { GatewayRoutes } from './gateway-routes.js'
import { OutboundGateway } from './outbound-gateway.entity.js'
import { type Binding, type Outcome, register } from './register-exchange.js'
import { pauseAfter, refreshAfter } from './registration-pauses.js'

const pollMs = 1_000
/** How often gateways and bindings are compared. */
const roundMs = 10_000
/** How often edges are asked since when they run. */
const askMs = 5_000
/** Exchanges under way, in all and of a workspace. */
const atOnce = 20
const ofWorkspace = 5
/** No exchange takes longer; after it another server may take the binding in hand. */
const leaseMs = 120_000
/** Addresses that are tried, each for five seconds. */
const mostTargets = 5
/** After this many tries without an answer a binding is left to expire. */
const mostUnregisters = 3
/** Bindings that are due again together are spread over so much time each. */
const spreadMs = 50

/** No edge can be asked. */
class NoEdgeError extends Error {}

interface Options {
  database: Database
  registrations: GatewayRegistrations
  edges: Edges
  routes: Pick<GatewayRoutes, 'targetsOf'>
  log: Logger
}

export class GatewayRegistrar {
  private readonly running = new Map<string, { workspace: string; done: Promise<void> }>()
  private readonly answers: EdgeAnswers
  private readonly giveUp = new AbortController()
  private readonly task: RepeatingTask
  /** Looks after the edges; a silent one holds up nothing else. */
  private readonly asking: RepeatingTask
  private comparedAt = -Infinity

  constructor(private readonly options: Options) {
    const { edges, log } = options
    this.answers = new EdgeAnswers(edges)
    this.task = new RepeatingTask(
      {
        everyMs: pollMs,
        first: 'now',
        log,
        failure: ['gateway.registrations_failed', 'registrations of gateways cannot be looked at'],
      },
      async () => this.work(),
    )
    this.asking = new RepeatingTask(
      {
        everyMs: askMs,
        first: 'now',
        log,
        failure: ['gateway.edges_silent', 'edges that register cannot be asked'],
      },
      async () => this.lookAtEdges(),
    )
  }

  start(): void {
    this.asking.start()
    this.task.start()
  }

  async stop(): Promise<void> {
    const stopped = [this.task.stop(), this.asking.stop()]
    this.giveUp.abort()
    await Promise.all(stopped)
    await Promise.all([...this.running.values()].map(async ({ done }) => done))
  }

  /** Takes what has been written to gateways at once. */
  wake(): void {
    this.comparedAt = -Infinity
    this.task.again()
  }

  /** An edge may have restarted. */
  edgeChanged(): void {
    this.asking.again()
  }

  private async lookAtEdges(): Promise<void> {
    if (!this.options.edges.isConfigured) return
    // Most installations register nowhere.
    if (!(await this.options.database.platformTable(GatewayRegistration).existsBy({}))) return
    for (const { address, since } of await this.answers.changed()) await this.renew(address, since)
  }

  private async work(): Promise<void> {
    const now = performance.now()
    if (now - this.comparedAt >= roundMs) {
      this.comparedAt = now
      await this.options.registrations.reconcile()
    }
    const atOnceLeft = atOnce - this.running.size
    if (atOnceLeft <= 0) return
    const most = { atOnce: atOnceLeft, ofWorkspace, leaseMs, butOf: this.busyWorkspaces() }
    for (const row of await this.options.registrations.claim(most)) {
      const done = this.turn(row).finally(() => {
        this.running.delete(row.id)
        this.task.again()
      })
      this.running.set(row.id, { workspace: row.workspace_id, done })
    }
  }

  /** Workspaces that have as many exchanges under way as they may. */
  private busyWorkspaces(): string[] {
    const groups = grouped(this.running.values(), ({ workspace }) => workspace)
    return [...groups].filter(([, those]) => those.length >= ofWorkspace).map(([workspace]) => workspace)
  }

  /** Has the bindings of an edge made again that restarted, or by another one when it is gone. */
  private async renew(edge: string, since: Date | null): Promise<void> {
    const table = this.options.database.platformTable(GatewayRegistration)
    const count = await table.countBy({ edge, current_of: Not(IsNull()) })
    if (count === 0 || (since === null && this.answers.living.length === 0)) return
    await this.options.database.source.query(
      `UPDATE gateway_registrations SET due_at = LEAST(due_at, CAST(? AS DATETIME(3)) + INTERVAL ROUND(RAND() * ?) MICROSECOND)
       WHERE edge = ? AND current_of IS NOT NULL AND (? IS NULL OR registered_at < ?)`,
      [new Date(), Math.min(count * spreadMs, 60_000) * 1_000, edge, since, since],
    )
  }

  /** Never throws. */
  private async turn(row: GatewayRegistration): Promise<void> {
    try {
      if (row.current_of === null) await this.unregister(row)
      else await this.register(row)
    } catch (error) {
      const isEdge = error instanceof NoEdgeError
      const later = isEdge ? 3_000 : 30_000
      this.options.log[isEdge ? 'debug' : 'warn'](
        { event: 'gateway.register_failed', err: error, gateway: row.gateway_id },
        'a gateway could not be registered',
      )
      await this.write(row, { due_at: inMs(later * (1 + Math.random())) }).catch(() => undefined)
    }
  }

  private async register(row: GatewayRegistration): Promise<void> {
    const { database, routes } = this.options
    const gateway = await database.platformTable(OutboundGateway).findOneBy({ id: row.gateway_id })
    if (!gateway) return this.write(row, { due_at: inMs(roundMs) })
    // Without an edge, as in a trial of the API alone, nothing is sent.
    const found = this.options.edges.isConfigured ? await routes.targetsOf(gateway) : []
    const targets = typeof found === 'string' ? [] : found
    const places = targets.flatMap(({ nextHop, server, host }) =>
      nextHop === undefined ? [] : [{ nextHop, serverName: server?.replace(/:\d+$/, '') ?? host }],
    )
    if (typeof found === 'string' || places.length === 0) {
      const [status, reason] =
        found === 'gateway_pending' || typeof found !== 'string'
          ? (['waiting', null] as const)
          : (['unreachable', 'No address'] as const)
      const failures = row.failures + 1
      const due_at = inMs(pauseAfter('silent', failures, 0))
      return this.write(row, { ...changed(row, { status, sip_code: null, reason }), failures, due_at })
    }
    const edge = this.edgeFor(row)
    if (row.edge !== '' && row.edge !== edge.address) await this.takeOver(row, edge)
    await this.tryEach(row, edge, places.slice(0, mostTargets))
  }

  /** Another edge is gone: its Contact leads nowhere. */
  private async takeOver(row: GatewayRegistration, edge: Edge): Promise<void> {
    if (!row.contact || !row.target || !isHeld(row)) return
    const out = await this.exchange(row, edge, row.target, { expires: 0, contact: row.contact })
    row.cseq = out.cseq
  }

  private async tryEach(
    row: GatewayRegistration,
    edge: Edge,
    places: readonly RegistrarTarget[],
  ): Promise<void> {
    let last: Outcome | undefined
    for (const target of places) {
      const outcome = await this.exchange(row, edge, target, { expires: row.expires })
      last = outcome
      Object.assign(row, { cseq: outcome.cseq, edge: edge.address, target })
      if (outcome.kind === 'registered') return this.registered(row, outcome)
      if (outcome.kind === 'refused' || this.giveUp.signal.aborted) break
    }
    if (!last || last.kind === 'registered') return
    const status = last.kind === 'refused' ? 'refused' : 'unreachable'
    const failures = row.failures + 1
    const answer = changed(row, { status, sip_code: last.code, reason: last.reason.slice(0, 100) })
    if (answer.since)
      this.options.log.warn(
        {
          event: 'gateway.not_registered',
          gateway: row.gateway_id,
          workspace: row.workspace_id,
          code: last.code,
          reason: last.reason,
        },
        `a gateway is not registered: its registrar is ${status === 'refused' ? 'not willing' : 'silent'}`,
      )
    await this.write(row, {
      ...{ ...answer, cseq: row.cseq, edge: row.edge, target: row.target, failures },
      due_at: inMs(pauseAfter(last.kind, failures, last.retryAfter)),
    })
  }

  private async registered(
    row: GatewayRegistration,
    { seconds, asked, contact, code, reason, cseq }: Outcome & { kind: 'registered' },
  ): Promise<void> {
    const now = new Date()
    await this.write(row, {
      ...changed(row, { status: 'registered', sip_code: code, reason: reason.slice(0, 100) }),
      ...{ cseq, edge: row.edge, target: row.target, contact, expires: asked, failures: 0 },
      ...{ registered_at: now, registered_until: new Date(now.getTime() + seconds * 1_000) },
      due_at: inMs(refreshAfter(seconds)),
    })
  }

  private async unregister(row: GatewayRegistration): Promise<void> {
    const table = this.options.database.platformTable(GatewayRegistration)
    if (!row.target || !isHeld(row) || row.failures >= mostUnregisters) {
      await table.delete({ id: row.id })
      return
    }
    const edge = this.edgeFor(row)
    const contact = row.edge === edge.address ? null : row.contact
    const outcome = await this.exchange(row, edge, row.target, { expires: 0, ...(contact && { contact }) })
    if (outcome.kind === 'silent')
      await this.write(row, {
        ...{ cseq: outcome.cseq, failures: row.failures + 1 },
        due_at: inMs(5_000 * (row.failures + 1)),
      })
    else await table.delete({ id: row.id })
  }

  /** @throws {NoEdgeError} */
  private edgeFor({ edge: last }: GatewayRegistration): Edge {
    const living = this.answers.living
    const edge = living.find(({ address }) => address === last) ?? living[0]
    if (!edge) throw new NoEdgeError('no edge answers')
    return edge
  }

  /** @throws {NoEdgeError} when the edge does not answer */
  private async exchange(
    row: GatewayRegistration,
    edge: Edge,
    target: RegistrarTarget,
    wanted: Pick<Binding, 'expires' | 'contact'>,
  ): Promise<Outcome> {
    const binding = {
      ...{ aorUser: row.aor_user, aorDomain: row.aor_domain, username: row.username },
      ...{ password: this.options.registrations.passwordOf(row), callId: row.sip_call_id, cseq: row.cseq },
      ...{ contactUser: row.contact_user, contactHost: row.contact_host, ...wanted },
    }
    const send: Parameters<typeof register>[0] = async (request) =>
      edge.client.register(request, this.giveUp.signal).catch((error: unknown) => {
        throw new NoEdgeError('the edge does not answer', { cause: error })
      })
    return register(send, binding, target)
  }

  /** Releases the row. One that is to be unregistered meanwhile stays due. */
  private async write(
    { id, current_of }: GatewayRegistration,
    { due_at, ...changes }: Partial<GatewayRegistration> & { due_at: Date },
  ): Promise<void> {
    await this.options.database.source.query(
      'UPDATE gateway_registrations SET due_at = ? WHERE id = ? AND (current_of IS NOT NULL OR ?)',
      [due_at, id, current_of === null],
    )
    const table = this.options.database.platformTable(GatewayRegistration)
    await table.update({ id }, { ...changes, busy_until: null })
  }
}

function isHeld({ registered_until: until }: GatewayRegistration): boolean {
  return until !== null && until.getTime() > Date.now()
}

/** The status, with the moment when it began. */
function changed(
  row: GatewayRegistration,
  answer: Pick<GatewayRegistration, 'status' | 'sip_code' | 'reason'>,
): Partial<GatewayRegistration> {
  return { ...answer, ...(answer.status !== row.status && { since: new Date() }) }
}

function inMs(ms: number): Date {
  return new Date(Date.now() + ms)
}

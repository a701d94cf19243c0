/** Which parts of a server start and stop when. */
import type { Logger } from 'pino'
import { refuseUnknownTables } from '../infrastructure/database/known-migrations.js'
import type { Tracing } from '../infrastructure/observability/tracing.js'
import type { CallSockets } from '../features/calls/clients/call-sockets.js'
import type { Streams } from '../features/realtime/streams.js'
import { Lifecycle, type Phases } from './lifecycle.js'
import type { Calls } from './modules/calls.js'
import type { Core } from './modules/core.js'
import type { Evaluations } from './modules/evaluations.js'
import type { Maintenance } from './modules/maintenance.js'
import type { Messages } from './modules/messages.js'
import type { Measured } from './modules/metrics.js'
import type { Resources } from './modules/resources.js'
import type { Retention } from './modules/retention.js'
import type { SipCapture } from './modules/sip-capture.js'
import type { wireWorkspaceDeletion } from './modules/workspace-deletion.js'

type StartPhase = 'ground' | 'cell' | 'files' | 'calls' | 'edge' | 'work' | 'events' | 'doors'

/** Streams and sockets end first; what they and carriers have begun is finished; the database goes last. */
type StopPhase =
  | ('clients' | 'work' | 'jobs' | 'connections')
  | ('calls' | 'voice agents' | 'cell' | 'switch')
  | ('notifiers' | 'events' | 'observability' | 'database')

const phases: Phases<StartPhase, StopPhase> = {
  start: ['ground', 'cell', 'files', 'calls', 'edge', 'work', 'events', 'doors'],
  stop: {
    clients: 1_000,
    // Attempts under way take as long as requests may: neither waits for the other.
    work: 11_000,
    jobs: 4_000,
    connections: 1_000,
    calls: 2_000,
    'voice agents': 1_000,
    ...{ cell: 1_000, switch: 1_000 },
    ...{ notifiers: 1_000, events: 1_000, observability: 1_000, database: 1_000 },
  },
}

/** Milliseconds that a stop takes at most. */
export const stopDeadlineMs = Object.values(phases.stop).reduce((sum, ms) => sum + ms, 0)

/** What the wiring has made. */
export interface Modules {
  readonly tracing: Tracing
  readonly core: Core
  readonly resources: Resources
  readonly messages: Messages
  readonly calls: Calls
  readonly retention: Retention
  readonly workspaceDeletion: ReturnType<typeof wireWorkspaceDeletion>
  readonly evaluations: Evaluations
  readonly callSockets: CallSockets
  readonly streams: Streams
  readonly measured: Measured
  readonly maintenance: Maintenance
  readonly sipCapture: SipCapture
}

/** What the app itself adds. */
interface OwnSteps {
  /** Logs what the operator has to mend. */
  warn(): Promise<void>
  /** Drives the switch while the cell is this server's. */
  followCell(): void
  startSweeps(): void
  stopSweeps(): void
  listen(): Promise<void>
  close(): Promise<void>
}

interface Runs {
  start(): unknown
  stop(): unknown
}

export function lifecycleOf(modules: Modules, own: OwnSteps, log: Logger): Lifecycle<StartPhase, StopPhase> {
  const lifecycle = new Lifecycle(phases, log)
  const { core, resources, messages, calls, retention, measured, maintenance, sipCapture } = modules
  const { presenceNotices } = resources

  /** A part that starts in one phase and stops in another. */
  const run = (name: string, start: StartPhase, stop: StopPhase, part: Runs) =>
    lifecycle.add(name, { start: [start, () => part.start()], stop: [stop, () => part.stop()] })

  run('tracing', 'ground', 'observability', {
    start: async () => modules.tracing.start(log),
    stop: async () => modules.tracing.stop(),
  })
  run('metrics', 'ground', 'observability', measured.metrics)
  run('caller verification', 'ground', 'connections', {
    start: async () => core.stir.open(),
    stop: () => core.stir.close(),
  })
  run('database', 'ground', 'database', {
    start: async () => core.database.connect(),
    stop: async () => core.database.close(),
  })
  lifecycle.add('tables', { start: ['ground', async () => refuseUnknownTables(core.database)] })
  lifecycle.add('warnings', { start: ['ground', async () => own.warn()] })
  run('platform states', 'ground', 'observability', maintenance.states)
  run('SIP capture', 'ground', 'observability', sipCapture.receiver)
  run('removal of captures', 'ground', 'observability', sipCapture.removals)

  run('cell', 'cell', 'cell', core.cells)
  lifecycle.add('audios', { start: ['files', async () => resources.audios.start()] })
  lifecycle.add('avatars', { start: ['files', async () => resources.avatars.start()] })
  run('recordings', 'files', 'jobs', calls.recordings)

  run('answers to challenges', 'calls', 'switch', core.answerer)
  lifecycle.add('switch', {
    start: ['calls', () => own.followCell()],
    stop: ['switch', async () => core.link.stop()],
  })
  run('calls', 'calls', 'calls', calls.sessions)
  lifecycle.add('voice agents', { stop: ['voice agents', async () => calls.voiceAgentCalls.calls.stop()] })
  lifecycle.add('push', { stop: ['voice agents', async () => resources.push.stop()] })
  run('outbox', 'calls', 'jobs', calls.worker)
  run('reaper of dead cells', 'calls', 'work', calls.reaper)

  run('registrations', 'edge', 'jobs', core.registrations)
  run('numbers at edges', 'edge', 'jobs', core.numbersAtEdges)
  run('edges', 'edge', 'switch', core.edges)
  run('events of edges', 'edge', 'switch', core.edgeEvents)
  run('presence', 'edge', 'notifiers', {
    start: () => presenceNotices.check.start(),
    stop: async () => {
      await presenceNotices.check.stop()
      await presenceNotices.notifier.stop()
    },
  })
  run('addresses of ACLs', 'edge', 'jobs', resources.aclResolver)
  run('addresses of gateways', 'edge', 'jobs', resources.gatewayResolver)
  run('pings of gateways', 'edge', 'jobs', calls.gatewayPings)
  run('registrations at carriers', 'edge', 'jobs', calls.gatewayRegistrar)

  run('voicemails', 'work', 'work', calls.voicemails)
  run('password resets', 'work', 'work', resources.resets)
  run('invitations', 'work', 'work', resources.invitations)
  run('notices of new devices', 'work', 'work', resources.notices)
  // Watches raise alerts to their end.
  run('alerts', 'work', 'jobs', core.alerts)
  run('watch of spending', 'work', 'work', core.spendWatch)
  run('watch of fraud', 'work', 'work', core.fraudWatch)
  run('webhooks', 'work', 'work', core.webhooks.worker)
  run('files of messages', 'work', 'jobs', messages.media)
  run('inbound messages', 'work', 'work', messages.inbound)
  run('dispatch of messages', 'work', 'work', messages.dispatch)
  run('callbacks', 'work', 'work', calls.callbacks.worker)
  run('evaluations', 'work', 'work', modules.evaluations.runner)
  run('retention', 'work', 'work', {
    start: () => retention.worker.start(),
    stop: async () => Promise.all([retention.sweep.stop(), retention.stopErasures()]),
  })
  run('deletion of workspaces', 'work', 'work', modules.workspaceDeletion)
  // Mails that are being sent are broken off, and sent at the next start.
  lifecycle.add('mail', { stop: ['clients', () => core.mailer.close()] })
  lifecycle.add('client of URLs', { stop: ['connections', () => core.client.close()] })
  lifecycle.add('client of text models', { stop: ['connections', () => resources.textClient.close()] })

  lifecycle.add('live board', { stop: ['notifiers', async () => calls.liveBoardNotifier.stop()] })
  lifecycle.add('notices of messages', { stop: ['notifiers', async () => messages.notifier.stop()] })
  run('events', 'events', 'events', core.hub)
  run('streams', 'events', 'clients', modules.streams)

  run('sweeps', 'doors', 'clients', { start: () => own.startSweeps(), stop: () => own.stopSweeps() })
  lifecycle.add('sockets of calls', { stop: ['clients', async () => modules.callSockets.stop()] })
  run('metrics listener', 'doors', 'observability', measured.metricsListener)
  run('HTTP', 'doors', 'work', { start: async () => own.listen(), stop: async () => own.close() })
  lifecycle.add('audit trail', {
    stop: [
      'observability',
      async () => {
        await core.trail.stop()
        core.security.stop()
      },
    ],
  })
  return lifecycle
}

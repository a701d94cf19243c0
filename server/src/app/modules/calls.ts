/** Calls, what runs on them, and what they produce. */
import { type Logger } from 'pino'
import { Callbacks } from '../../features/callbacks/callbacks.js'
import { ivrCallbackJob } from '../../features/callbacks/ivr-callbacks.js'
import { CallFlowService } from '../../features/call-flows/call-flow.service.js'
import { FlowDrafts } from '../../features/call-flows/flow-drafts.js'
import { FlowNames } from '../../features/call-flows/simulate/names.js'
import { CallFlowSimulator } from '../../features/call-flows/simulate/simulator.js'
import { FlowScripts } from '../../features/call-flows/flow-script.js'
import { FlowVersions } from '../../features/call-flows/flow-versions.js'
import { CallEnds } from '../../features/calls/clients/push-channel.js'
import { IncomingCalls } from '../../features/calls/clients/incoming-calls.js'
import { ActiveBridges } from '../../features/calls/session/active-bridges.js'
import { CallAudiences } from '../../features/calls/api/call-audience.js'
import { CreditHolds } from '../../features/calls/limits/credit-holds.js'
import { CreditWatch } from '../../features/calls/limits/credit-watch.js'
import { watchFraud } from './toll-fraud.js'
import { CallLimits, type Refused } from '../../features/calls/limits/call-limits.js'
import { CallRouting } from '../../features/calls/routing/call-routing.js'
import { AppCallDesk } from '../../features/calls/session/app-call-desk.js'
import { FlowCalls } from '../../features/calls/api/flow-calls.js'
import { AppCalls } from '../../features/calls/api/app-calls.js'
import { CallRejections } from '../../features/calls/api/call-rejections.js'
import { CallService } from '../../features/calls/api/call.service.js'
import { CallSessions } from '../../features/calls/running/call-sessions.js'
import { loseVoicemail } from '../../features/calls/model/lost-voicemail.js'
import { CallStore } from '../../features/calls/model/call-store.js'
import { eventOf } from '../../features/calls/model/call-events.js'
import { costSoFar } from '../../features/calls/model/locked-legs.js'
import type { Call } from '../../features/calls/model/call.entity.js'
import type { ScriptStep } from '../../features/calls/model/call.schema.js'
import { MachineDetection } from '../../features/calls/script/machines/machine-detection.js'
import { CallStreams } from '../../features/calls/media-streams/call-streams.js'
import { soundAnalysis } from '../../adapters/speech/sound/sound-analysis.js'
import { LiveBoardNotifier } from '../../features/calls/live-board/live-board-notifier.js'
import { LiveCallsTable } from '../../features/calls/live-board/live-calls-table.js'
import { scripted } from '../../features/calls/session/live-call.js'
import { LiveCalls } from '../../features/calls/session/live-calls.js'
import { EmergencyCalls } from '../../features/calls/routing/emergency-calls.js'
import { CallsPerSecond } from '../../features/calls/limits/calls-per-second.js'
import { ContactNames } from '../../features/contacts/contact-names.js'
import { CallOffers } from '../../features/calls/dialling/call-offers.js'
import { RouteDialer } from '../../features/calls/dialling/route-dialer.js'
import { OutboundCalls, placeCallJob } from '../../features/calls/session/outbound-calls.js'
import { QueueStore } from '../../features/calls/queue/queue-store.js'
import { TeamQueues } from '../../features/calls/queue/team-queues.js'
import { TeamMembers } from '../../features/calls/dialling/team-members.js'
import { SupervisionService } from '../../features/calls/api/supervision.service.js'
import { OutsideTargets } from '../../features/calls/bridge/outside-targets.js'
import { TransferLookup } from '../../features/calls/bridge/transfer-lookup.js'
import { DeadCellReaper } from '../../features/calls/recovery/dead-cell-reaper.js'
import { TransferRights } from '../../features/calls/bridge/transfer-rights.js'
import { TransferService } from '../../features/calls/session/transfer.service.js'
import { refuseOrphanedCallers } from '../../features/calls/recovery/orphaned-callers.js'
import { PhoneReferrals } from '../../features/calls/session/phone-referrals.js'
import { Phones } from '../../features/calls/routing/phones.js'
import { StoredScripts } from '../../features/calls/script/stored-scripts.js'
import type { Config } from '../../config/config.js'
import { afterCommit } from '../../infrastructure/database/database.js'
import { OutboxWorker } from '../../infrastructure/database/outbox.js'
import { GuardedSockets } from '../../infrastructure/http-client/guarded-sockets.js'
import { NextHops, hostInUri } from '../../infrastructure/http-client/next-hops.js'
import { NumberVerification } from '../../features/phone-numbers/number-verification.js'
import { EdgePings } from '../../adapters/kamailio/edge-pings.js'
import { GatewayPings } from '../../features/sip-trunks/gateway-pings.js'
import { GatewayRegistrar } from '../../features/sip-trunks/gateway-registrar.js'
import { GatewayRoutes } from '../../features/sip-trunks/gateway-routes.js'
import type { LiveSubject } from '../../infrastructure/http/endpoint.js'
import { sumOf } from '../../lib/money.js'
import { Recordings } from '../../features/recordings/recordings.js'
import { ChannelSounds } from '../../adapters/freeswitch/channel-sounds.js'
import { recordingNotices } from './recording-notices.js'
import { ChannelRecordings } from '../../adapters/freeswitch/channel-recordings.js'
import { RegisteredContacts } from '../../features/sip-accounts/registered-contacts.js'
import { RingingAnywhere } from '../../features/calls/cluster/ringing-anywhere.js'
import { StreamedEvents } from '../../features/realtime/streamed-events.js'
import { callTokenSeconds } from '../../infrastructure/tokens/call-tokens.js'
import { TrialCalls } from '../../features/voice-agents/trial-calls.js'
import { VoicemailFollowUp } from '../../features/voicemails/voicemail-follow-up.js'
import { WaitingNotifier } from '../../features/voicemails/waiting-notifier.js'
import type { Core } from './core.js'
import { wirePeople } from './people.js'
import type { Maintenance } from './maintenance.js'
import type { Messages } from './messages.js'
import { verificationLines } from './verification-lines.js'
import type { Resources } from './resources.js'
import { wireVoiceAgents } from './voice-agents.js'

/** Calls that are placed at once; each takes a few milliseconds of the switch. */
const placedAtOnce = 20
const placeLeaseMs = 10_000
const placeRetryMs = 1_000

export function wireCalls(
  config: Config,
  log: Logger,
  core: Core,
  resources: Resources,
  { messages }: Messages,
  { drain }: Maintenance,
) {
  const {
    database,
    secrets,
    inUse,
    credit,
    workspaces,
    servers,
    driver,
    cells,
    counters,
    link,
    switchboard,
    journal,
    client,
    webhooks,
    hub,
    idempotency,
    callTokens,
    urls,
  } = core
  const {
    softphones,
    claims,
    acrossCells,
    agents,
    teams,
    outboundGateways,
    phoneNumbers,
    sipAccounts,
    speech,
    audios,
    voiceAgents,
    versions,
    extensions,
    contacts,
    rates,
  } = resources
  const { limits } = config
  const refused: Refused = (...refusal) => core.spendWatch.refusedCall(...refusal)
  const callLimits = new CallLimits({
    limitsOf: async (id) => workspaces.find(id),
    countries: resources.countries,
    defaults: {
      maxConcurrent: config.calls.max_concurrent,
      maxPerSecond: config.calls.max_per_second,
      maxPerAccount: config.calls.max_concurrent_per_account,
    },
    perSecond: new CallsPerSecond(counters),
    refused,
  })
  workspaces.createAlso(async (tx, workspace) => callLimits.open(tx, workspace))
  const incomingCalls = new IncomingCalls()
  const audiences = new CallAudiences({
    database,
    find: async (workspace, id) => store.find(workspace, id),
    rung: new RingingAnywhere(incomingCalls, servers, driver, async (callId) => store.cellOf(callId)),
  })
  const events = new StreamedEvents({
    ...{ hub, log },
    next: new CallEnds(webhooks.events, (callId) => pushes.callEnded(callId)),
    audienceOf: async (workspace, callId) => audiences.of(workspace, callId),
  })
  const holds = new CreditHolds(database, credit, config.calls.credit_held_seconds, refused)
  const store: CallStore = new CallStore(
    database,
    credit,
    events,
    callLimits,
    holds,
    config.cell,
    new ContactNames(database),
  )
  watchFraud(store, core.fraudWatch)
  refuseOrphanedCallers(store, core.edges, log)
  const phones = new Phones({ sipAccounts, agents, extensions })
  const { numbers } = resources
  const gatewayRoutes = new GatewayRoutes({
    ...{ nextHops: resources.gatewayHops, log },
    ...{ approval: resources.gatewayApproval, states: resources.gatewayStates },
    reach: resources.gatewayReach,
    isSimulated: () => link.isSimulated,
  })
  const gatewayPings = new GatewayPings({
    ...{ database, routes: gatewayRoutes, reach: resources.gatewayReach, alerts: core.alerts, log },
    pings: new EdgePings(core.edges, core.edgeEvents),
    mayPing: () => driver.isHere && core.edges.isConfigured && !link.isSimulated,
    interval: config.sip_trunks.ping_interval,
  })
  resources.gatewayListeners.push((id) => gatewayPings.written(id))
  const gatewayRegistrar = new GatewayRegistrar({
    ...{ database, edges: core.edges, routes: gatewayRoutes, log },
    registrations: resources.gatewayRegistrations,
  })
  resources.gatewayListeners.push(() => gatewayRegistrar.wake())
  core.edgeEvents.on('connected', () => gatewayRegistrar.edgeChanged())
  const routing = new CallRouting({
    ...{ phoneNumbers, numbers, outboundGateways, phones, teams },
    ...{ limits: callLimits, rates },
    nextHops: new NextHops(config.http_client),
    gatewayRoutes,
    gatewayAddresses: resources.gatewayAddresses,
    sipDomain: config.edge.sip_domain,
    publicHost: hostInUri(config.edge.public_host || config.edge.sip_domain),
  })
  const emergency = new EmergencyCalls({
    ...{ routing, phones, phoneNumbers, outboundGateways },
    workspaceOf: async (id) => workspaces.find(id),
    alerts: core.alerts,
  })
  const { userDialer, pushes, clientLegs, reachability } = wirePeople(config, log, core, resources, {
    ...{ store, claims, incomingCalls },
    callControl: new ActiveBridges(
      (callId) => sessions.find(callId),
      (channelId) => clientLegs.find(channelId),
      async (...call) => transfers.start(...call),
    ),
    isReady: () => sessions.isReady,
  })
  const routeDialer = new RouteDialer({
    ...{ store, switchboard, claims, users: userDialer, stir: core.stir, routing },
    contacts: new RegisteredContacts(database),
    offers: new CallOffers(database, log),
    proxy: () => core.edges.proxy,
  })
  const members = new TeamMembers(teams, softphones, phones, routing, reachability, store, log)
  const queueStore = new QueueStore(database, config.cell)
  const liveCallsTable = new LiveCallsTable(database)
  const liveBoardNotifier = new LiveBoardNotifier({ database, calls: liveCallsTable, hub, log })
  for (const rows of [store, queueStore]) {
    rows.on('changed', (workspaceId: string, callId: string) => {
      liveBoardNotifier.callChanged(workspaceId, callId)
    })
  }
  const queues = new TeamQueues({ store: queueStore, members, claims, isAlone: driver.isAlone, log })
  const waiting = new WaitingNotifier({ database, hub, log })
  store.on('calledBack', (kind, workspaceId, callIds) => waiting.changed(kind, workspaceId, ...callIds))
  const voicemails = new VoicemailFollowUp({
    ...{ database, log, urls: core.urls, mailer: core.mailer, providers: resources.speechProviders },
    recordings: () => recordings.service,
    isTranscribed: async ({ id }) => (await workspaces.find(id))?.voicemail_transcription ?? false,
    changed: (workspaceId, callId) => waiting.changed('voicemails', workspaceId, callId),
  })
  const recordings: Recordings = new Recordings({
    voicemailReceived: async (tx, voicemail) => voicemails.received(tx, voicemail),
    voicemailLost: async (tx, { call_id, workspace_id }) => {
      if (await loseVoicemail(tx, call_id))
        afterCommit(tx, () => waiting.changed('missed_calls', workspace_id, call_id))
    },
    ...{ database, log, switch: new ChannelRecordings(link), sounds: new ChannelSounds(link) },
    noticeOf: recordingNotices({ workspaces, audios, speech }),
    ...{ settings: config.recordings, mediaDirectory: config.media.directory, cell: config.cell },
    events,
    note: async (tx, { id }, event, details) => store.noteOf(tx, id, event, details),
    changed: (workspaceId, callId) => liveBoardNotifier.callChanged(workspaceId, callId),
    quotaOf: async (id) => {
      const workspace = await workspaces.find(id)
      const { call_recording, call_internal_recording } = workspace ?? {}
      return { external: call_recording ?? false, internal: call_internal_recording ?? false }
    },
    hasRoom: async (workspace) => core.keptBytes.hasRoom(workspace, 1),
    checkCall: async (workspace, id) => {
      await calls.get(workspace, id)
    },
    retentionOf: async ({ id }) => {
      const own = (await workspaces.find(id))?.recording_retention_days ?? null
      return core.policy.of('recordings', own).days
    },
  })
  const voiceAgentCalls = wireVoiceAgents(config, log, core, resources, {
    ...{ events, store },
    calls: () => sessions,
    anyone: async (...args) => lookup.anyone(...args),
    secretOf: async (workspace) => callbacks.signingSecrets.secretOf(workspace),
  })
  const streams = new CallStreams({
    ...{ database, secrets, switchboard, log },
    sockets: new GuardedSockets(config.http_client),
  })
  const actions = {
    ...{ routing, numbers },
    voiceAgents: voiceAgentCalls.calls,
    members,
    queues,
    recorder: recordings.calls,
    streams,
    machines: new MachineDetection({ switchboard, analysis: soundAnalysis, log }),
    client,
    media: {
      audioFile: async (workspace: { id: string }, id: string) => audios.fileOf(workspace, id),
      speechFile: async (
        workspace: { id: string },
        text: string,
        options: { voice?: string; speed?: number },
      ) => speech.render({ text, ...options }, { workspaceId: workspace.id, lane: 'live' }),
      hasVoice: async (voice: string) => speech.checkVoice(voice),
    },
  }
  const flowVersions = new FlowVersions(database, core.kept.own)
  const scripts = new StoredScripts(database)
  const replaceActions = async (call: Call, script: ScriptStep[]) => {
    const revision = await scripts.replace(call, script, call.script_revision)
    if (revision !== null) scripted(sessions.find(call.id))?.replaceScript(script, revision)
  }
  const callbacks = new Callbacks({
    ...{ database, secrets, client, contacts, store, log },
    drivesCalls: () => driver.isHere,
    cell: config.cell,
    replaceActions,
  })
  const { contactLookup, jsonCallAction } = callbacks
  const flows = new FlowScripts(flowVersions, {
    ...{ contactLookup, jsonCallAction, phones, messages, numbers },
  })
  const sessions: CallSessions = new CallSessions({
    ...{
      scripts,
      flows,
      database,
      store,
      routeDialer,
      claims,
      actions,
      phones,
      phoneNumbers,
      kept: core.kept.own,
      holds,
      credit: new CreditWatch(holds, log),
      link,
      switchboard,
      journal,
      log,
      clientLegs,
    },
    recovered: async (call) => supervisions.recover(call, await store.legsOf(call.call.id)),
    reportKeys: async (call, keys, server) => callbacks.ivr.report(call, keys, server),
    reportAnswered: async (call, answered) =>
      database.transaction(async (tx) => store.answeredBy(tx, call, answered)),
    replaceActions,
    ...{ limits: callLimits, rates, emergency },
    countryOf: async (id: string) => (await workspaces.find(id))?.country_code ?? null,
    hasApps: async (workspace, sub) => reachability.hasApps(workspace, { kind: 'agent', sub }),
    stir: core.stir,
    ...{ cell: config.cell, cells },
    edges: core.edges,
    isDraining: () => drain.isOn || cells.isClosed,
    ringTimeout: config.calls.ring_timeout,
  })
  const voiceAgentRecovery = voiceAgentCalls.recover(sessions, routeDialer, store)
  const live = new LiveCalls(sessions)
  const wake = () => {
    if (driver.isHere) worker.wake()
    if (!driver.isAlone) servers.share('accepted', null)
  }
  const outbound = new OutboundCalls({
    ...{ store, holds, idempotency },
    ...{ limits: callLimits, rates },
    cells,
    mayBegin: () => {
      drain.check()
      cells.check()
    },
    jobs: { wake, claimNew: (cell) => (cell === config.cell ? worker.claimNew() : null) },
  })
  servers.onShared('accepted', () => worker.wake())
  cells.on('returned', () => {
    sessions
      .dropEnded()
      .catch((error: unknown) =>
        log.warn({ event: 'call.orphan_hangup_delayed', err: error }, 'the next sweep hangs up'),
      )
  })
  const reaper = new DeadCellReaper({
    ...{ database, store, cells, log, wake },
    isHeard: (cell) => driver.serverOf(cell) !== null,
    ownSwitch: core.ownSwitch,
    jobs: [placeCallJob, ivrCallbackJob],
    ended: (call) => sessions.emit('notRecovered', call),
    reaped: async (cell) => {
      await Promise.all([queueStore.removeEnded(), acrossCells.forget(cell)])
      if (cell === config.cell) await sessions.letAllGo()
    },
  })
  const supervisions = new SupervisionService({
    ...{ store, routeDialer, routing, claims, switchboard, softphones, reachability, log },
    ...{ memberships: resources.memberships, live },
    token: (claims) => ({ call_token: core.callTokens.sign(claims).token, expires_in: callTokenSeconds }),
  })
  const lookup = new TransferLookup({
    ...{ agents, teams, voiceAgents, phones, members, queues, reachability },
    ...{ memberships: resources.memberships, presence: resources.presence },
    outside: new OutsideTargets({ numbers, phoneNumbers, routing, limits: callLimits }),
  })
  const transfers: TransferService = new TransferService({
    ...{ live, lookup },
    move: async (leg, from, to, details) => {
      const now = new Date()
      const spent = Math.max(0, sumOf([from.costAt(now), -costSoFar(leg, now)]))
      await store.moveLeg(leg, to, spent, eventOf(from.call, 'call.transfer', now, { details }))
      claims.moved(leg.channel_id, to.id)
    },
    rights: new TransferRights({
      ...{ store, memberships: resources.memberships },
      isForInvolved: async ({ id }) => (await workspaces.find(id))?.transfers_by === 'involved',
    }),
  })
  const referrals = new PhoneReferrals({
    ...{ switchboard, store, phones, transfers, log },
    callOf: (channelId) => sessions.withChannel(channelId),
  })
  core.edgeEvents.on('referral', (referral) => void referrals.take(referral))
  core.edgeEvents.on('gone', (sipCallId) => {
    const hungUp = switchboard.ofDialog(sipCallId)?.hangUp('MEDIA_TIMEOUT')
    hungUp?.catch((error: unknown) =>
      log.debug({ event: 'call.far_end_gone', err: error }, 'a call whose far end is gone was not ended'),
    )
  })
  // The switch takes the next offer of an end that refused its own for the first one of a call, and answers it without SDP
  // (sofia.c, `TFLAG_SDP`; measured), unless that end has answered an offer of sound.
  core.edgeEvents.on('fax_refused', (sipCallId) => {
    const renewed = switchboard.ofDialog(sipCallId)?.renewMedia()
    renewed?.catch((error: unknown) =>
      log.debug({ event: 'call.fax_refused', err: error }, 'a far end that refused fax was offered no sound'),
    )
  })
  const calls = new CallService({ store, live, outbound, actions, scripts, flows })
  const numberVerification = new NumberVerification({
    ...{ database, phoneNumbers, webhooks: webhooks.events },
    lineOf: verificationLines({
      ...{ phoneNumbers, calls, messages },
      workspaceId: config.numbers.verification_workspace,
    }),
  })
  const desk = new AppCallDesk({
    ...{ outbound, tokens: callTokens },
    newChannelId: () => switchboard.newChannelId(),
    callSocket: (workspaceId, callId) => urls.callSocket(workspaceId, callId),
  })
  const appCalls = new AppCalls({
    ...{ routing, phones, phoneNumbers, numbers, flows, desk },
    ringTimeout: config.calls.ring_timeout,
  })
  const flowDrafts = new FlowDrafts(database, flowVersions)
  const callFlows = new CallFlowService({
    ...{ database, inUse, actions, numbers, versions: flowVersions, drafts: flowDrafts },
    max: limits.call_flows,
  })
  const flowNames = new FlowNames({ agents, audios, extensions, outboundGateways, teams, voiceAgents })
  const simulator = new CallFlowSimulator({ actions, contacts, extensions, numbers, names: flowNames })
  const worker: OutboxWorker = new OutboxWorker(
    database,
    placeCallJob,
    async (job) => sessions.place(job),
    {
      ...{ concurrency: placedAtOnce, isForCalls: true, leaseMs: placeLeaseMs, retryMs: placeRetryMs },
      // While no server has the switch, they are given up in time.
      mayClaim: () => driver.isHere || (link.isLost && driver.serverOf(config.cell) === null),
      cell: config.cell,
    },
    log,
  )
  return {
    store,
    gatewayPings,
    gatewayRegistrar,
    cellOf: async (subject: LiveSubject, id: string) =>
      subject === 'call' ? store.cellOf(id) : recordings.service.cellOf(id),
    audiences,
    queueStore,
    ...{ liveCallsTable, liveBoardNotifier },
    recordings,
    ...{ voicemails, waiting },
    flowVersions,
    callbacks,
    sessions,
    calls,
    appCalls,
    flowCalls: new FlowCalls({
      ...{ desk, flows },
      flowTitle: async (workspace, id) => (await callFlows.get(workspace, id)).title,
    }),
    trialCalls: new TrialCalls({ desk, voiceAgents, versions }),
    rejections: new CallRejections(incomingCalls, sessions, live, log),
    callFlows,
    flowDrafts,
    flowNames,
    simulator,
    ...{ worker, reaper },
    numberVerification,
    clientLegs,
    rings: incomingCalls,
    supervisions,
    transfers,
    ...{ voiceAgentCalls, voiceAgentRecovery },
  }
}

export type Calls = ReturnType<typeof wireCalls>

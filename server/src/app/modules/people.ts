/** Ringing people on all their devices, and the seats of their apps in calls. */
import type { ClientCallControl } from '../../features/calls/clients/client-leg.js'
import type { Logger } from 'pino'
import type { AgentClaims } from '../../features/calls/dialling/agent-claims.js'
import { AgentReachability } from '../../features/calls/dialling/agent-reachability.js'
import { IncomingCallNotifier } from '../../features/calls/clients/incoming-call-notifier.js'
import type { CallTokenClaims } from '../../features/calls/model/call-token.js'
import type { FreshToken } from '../../features/calls/clients/client-leg-registry.js'
import { IssuedCallTokens } from '../../features/calls/clients/issued-call-tokens.js'
import { UserDialer } from '../../features/calls/clients/user-dialer.js'
import { PushChannel } from '../../features/calls/clients/push-channel.js'
import { IncomingCall } from '../../features/calls/clients/incoming-call.js'
import type { IncomingCalls } from '../../features/calls/clients/incoming-calls.js'
import { ClientLegs } from '../../features/calls/clients/client-legs.js'
import { SseChannel } from '../../features/calls/clients/sse-channel.js'
import type { CallStore } from '../../features/calls/model/call-store.js'
import type { Config } from '../../config/config.js'
import { callTokenSeconds } from '../../infrastructure/tokens/call-tokens.js'
import type { Core } from './core.js'
import type { Resources } from './resources.js'

interface Parts {
  store: CallStore
  claims: AgentClaims
  incomingCalls: IncomingCalls
  callControl: ClientCallControl
  /** Whether the calls of the previous process are recovered. */
  isReady: () => boolean
}

export function wirePeople(config: Config, log: Logger, core: Core, resources: Resources, parts: Parts) {
  const { hub, urls, switchboard, link, driver, callTokens } = core
  const { softphones, chosenStates, push, rungDevices } = resources
  const { store, claims, incomingCalls, callControl, isReady } = parts
  const socketUrl = (workspaceId: string, callId: string) => urls.callSocket(workspaceId, callId)
  const token = (of: CallTokenClaims): FreshToken => ({
    call_token: callTokens.sign(of).token,
    expires_in: callTokenSeconds,
  })
  const given = new IssuedCallTokens()
  const streams = new SseChannel(hub, socketUrl, given)
  const pushes = new PushChannel({ push, socketUrl, given, devices: rungDevices })
  const reachability = new AgentReachability([streams, pushes], chosenStates)
  const channels = { streams, devices: pushes }
  const notifier = new IncomingCallNotifier(channels, ({ person, workspace_id, call_id }, credential) => {
    const channelId = switchboard.newChannelId()
    const claims = { ...person, workspace_id, call_id, fs_uuid: channelId }
    return { token: token({ ...claims, ...(credential && { credential }) }).call_token, channelId }
  })
  const clientLeg = { token, callControl, graceMs: config.calls.app_grace * 1000, log }
  const clientLegs: ClientLegs = new ClientLegs({
    store,
    switchboard,
    incomingCalls,
    clientLeg,
    newRing: (request) => new IncomingCall(request, ring),
    isReady,
  })
  const ring = {
    ...clientLeg,
    store,
    switchboard,
    claims,
    keep: (one: Parameters<ClientLegs['keep']>[0]) => clientLegs.keep(one),
  }
  const userDialer = new UserDialer({ incomingCalls, ring, notifier, reachability, softphones, link })
  hub.onPresenceEverywhere(({ workspace_id, kind, id, live }) => {
    if (live) userDialer.came(workspace_id, { kind, sub: id })
  })
  driver.on('moved', (cell) => {
    if (cell === driver.cell) reachability.tookOver()
  })
  return { userDialer, pushes, clientLegs, reachability }
}

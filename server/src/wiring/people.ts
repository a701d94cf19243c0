/** Ringing people on all their devices, and the seats of their apps in calls. */
import type { Logger } from 'pino'
import type { AgentClaims } from '../calls/agent-claims.js'
import { AgentReachability } from '../calls/apps/agent-reachability.js'
import { Announcer } from '../calls/apps/announcer.js'
import type { FreshToken, SeatClaims } from '../calls/apps/app-seats.js'
import { GivenTokens } from '../calls/apps/given-tokens.js'
import { People } from '../calls/apps/people.js'
import { PushBell } from '../calls/apps/push-bell.js'
import { Ring } from '../calls/apps/ring.js'
import type { Rings } from '../calls/apps/rings.js'
import type { SeatTalk } from '../calls/apps/seat-talk.js'
import { Seats } from '../calls/apps/seats.js'
import { StreamBell } from '../calls/apps/stream-bell.js'
import type { CallStore } from '../calls/call-store.js'
import type { Config } from '../config.js'
import { callTokenSeconds } from '../tokens/call-tokens.js'
import type { Core } from './core.js'
import type { Resources } from './resources.js'

interface Parts {
  store: CallStore
  claims: AgentClaims
  rings: Rings
  talk: SeatTalk
  /** Whether the calls of the previous process are recovered. */
  isReady: () => boolean
}

export function wirePeople(config: Config, log: Logger, core: Core, resources: Resources, parts: Parts) {
  const { hub, urls, switchboard, link, driver, callTokens } = core
  const { softphones, chosenStates, push, rungDevices } = resources
  const { store, claims, rings, talk, isReady } = parts
  const socketUrl = (workspaceId: string, callId: string) => urls.callSocket(workspaceId, callId)
  const token = (of: SeatClaims): FreshToken => ({
    call_token: callTokens.sign(of).token,
    expires_in: callTokenSeconds,
  })
  const given = new GivenTokens()
  const streams = new StreamBell(hub, socketUrl, given)
  const pushes = new PushBell({ push, socketUrl, given, devices: rungDevices })
  const reachability = new AgentReachability([streams, pushes], chosenStates)
  const bells = { streams, devices: pushes }
  const announcer = new Announcer(bells, ({ person, workspace_id, call_id }, credential) => {
    const channelId = switchboard.newChannelId()
    const claims = { ...person, workspace_id, call_id, fs_uuid: channelId }
    return { token: token({ ...claims, ...(credential && { credential }) }).call_token, channelId }
  })
  const seat = { token, talk, graceMs: config.calls.app_grace * 1000, log }
  const seats: Seats = new Seats({
    store,
    switchboard,
    rings,
    seat,
    newRing: (request) => new Ring(request, ring),
    isReady,
  })
  const ring = {
    ...seat,
    store,
    switchboard,
    claims,
    keep: (one: Parameters<Seats['keep']>[0]) => seats.keep(one),
  }
  const people = new People({ rings, ring, announcer, reachability, softphones, link })
  hub.onPresenceEverywhere(({ workspace_id, kind, id, live }) => {
    if (live) people.came(workspace_id, { kind, sub: id })
  })
  driver.on('moved', (cell) => {
    if (cell === driver.cell) reachability.tookOver()
  })
  return { people, pushes, seats, reachability }
}

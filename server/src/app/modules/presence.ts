import type { Logger } from 'pino'
import type { AgentClaims } from '../../features/calls/dialling/agent-claims.js'
import type { ChosenStates } from '../../features/presence/chosen-states.js'
import type { DeviceService } from '../../features/devices/device.service.js'
import { PresenceNotifier } from '../../features/presence/presence-notifier.js'
import { PresenceCheck } from '../../features/presence/presence-check.js'
import type { Presence } from '../../features/presence/presence.js'
import type { SeenStates } from '../../features/presence/seen-states.js'
import { shareStates } from '../../features/presence/shared-states.js'
import type { Core } from './core.js'

interface Parts {
  presence: Presence
  seen: SeenStates
  claims: AgentClaims
  chosenStates: ChosenStates
  devices: DeviceService
}

/** Publishes agents' states to each other, whatever changes them. */
export function announcePresence(
  { database, hub, servers, driver, registrations, edgeEvents }: Core,
  log: Logger,
  parts: Parts,
) {
  const { presence, seen, claims, chosenStates, devices } = parts
  const notifier = new PresenceNotifier({ database, presence, seen, hub, log })
  claims.on('changed', (agentId) => notifier.agentChanged(agentId))
  chosenStates.on('changed', (agentId) => notifier.agentChanged(agentId))
  devices.onChange((_, agentIds) => {
    for (const id of agentIds) notifier.agentChanged(id)
  })
  hub.onPresence(({ kind, id }) => {
    if (kind === 'agent') notifier.agentChanged(id)
  })
  registrations.on('removed', (username, domain) => notifier.addressChanged(username, domain))
  // The edge sends its events to all servers: one of them is enough.
  edgeEvents.on('registration', (username, domain) => {
    if (driver.elsewhere === null) notifier.addressChanged(username, domain)
  })
  shareStates(seen, servers, hub)
  const check = new PresenceCheck({ presence, seen, hub, notifier, log })
  edgeEvents.on('connected', () => check.soon())
  // Changes that a dead server did not publish, and those that were published while no other server was connected.
  driver.on('moved', () => check.soon())
  servers.on('found', () => check.soon())
  return { notifier, check }
}

/** What is measured, and where it is read. */
import type { Config } from '../../config/config.js'
import { databasePart } from '../../features/metrics/database-part.js'
import { edgePart } from '../../features/metrics/edge-part.js'
import { Metrics } from '../../features/metrics/metrics.js'
import { MetricsListener } from '../../features/metrics/metrics-listener.js'
import { type ServerState, serverPart } from '../../features/metrics/server-part.js'
import { switchPart } from '../../features/metrics/switch-part.js'
import { workPart } from '../../features/metrics/work-part.js'
import { apiVersion } from '../../lib/version.js'
import type { Core } from './core.js'
import type { Resources } from './resources.js'
import type { Operator } from './operator.js'

/** State of a server that only the whole server knows. */
type Own = Pick<ServerState, 'callSockets' | 'draining' | 'captureDropped' | 'spans'>

export function wireMetrics(
  config: Config,
  core: Core,
  { gatewayReach }: Pick<Resources, 'gatewayReach'>,
  { work, upkeep }: Operator,
  own: () => Own,
) {
  const { database, edge, hub, driver, link, stir, cellService } = core
  const metrics = new Metrics((registry) => [
    serverPart(registry, () => ({
      version: apiVersion,
      ...{ drivesCalls: driver.isHere, isLinked: link.isUp },
      ...{ ...own(), streams: [...hub.localStreams()].length },
      pool: database.pool,
      signsUntil: stir.signsUntil,
      redis: config.redis.url ? hub.isShared : null,
      upkeep: upkeep.seen,
    })),
    databasePart(registry, database),
    workPart(registry, database, {
      work: async () => work.look(),
      cells: async () => cellService.list(),
    }),
    // Of several servers one is linked to the switch.
    ...(config.switch.drive === 'true' ? [switchPart(registry, link)] : []),
    ...(edge.isConfigured ? [edgePart(registry, edge, gatewayReach)] : []),
  ])
  return { metrics, metricsListener: new MetricsListener(metrics, config.metrics) }
}

export type Measured = ReturnType<typeof wireMetrics>

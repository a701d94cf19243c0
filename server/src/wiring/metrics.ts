/** What is measured, and where it is read. */
import type { Config } from '../config.js'
import { databasePart } from '../metrics/database-part.js'
import { edgePart } from '../metrics/edge-part.js'
import { Metrics } from '../metrics/metrics.js'
import { MetricsListener } from '../metrics/metrics-listener.js'
import { serverPart } from '../metrics/server-part.js'
import { switchPart } from '../metrics/switch-part.js'
import { workPart } from '../metrics/work-part.js'
import { apiVersion } from '../version.js'
import type { Core } from './core.js'
import type { Operator } from './operator.js'

/** @param callSockets how many this server serves */
export function wireMetrics(config: Config, core: Core, { work }: Operator, callSockets: () => number) {
  const { database, edge, hub, driver, link } = core
  const metrics = new Metrics((registry) => [
    serverPart(registry, () => ({
      version: apiVersion,
      ...{ drivesCalls: driver.isHere, isLinked: link.isUp },
      ...{ streams: [...hub.localStreams()].length, callSockets: callSockets() },
      pool: database.pool,
      redis: config.redis.url ? hub.isShared : null,
    })),
    databasePart(registry, database),
    workPart(registry, database, async () => work.look()),
    // Of several servers one is linked to the switch.
    ...(config.switch.drive === 'true' ? [switchPart(registry, link)] : []),
    ...(edge.isConfigured ? [edgePart(registry, edge)] : []),
  ])
  return { metrics, metricsListener: new MetricsListener(metrics, config.metrics) }
}

export type Measured = ReturnType<typeof wireMetrics>

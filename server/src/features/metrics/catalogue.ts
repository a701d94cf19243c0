/** Every metric that a server may have, for the reference. The parts are built as in a server and never asked. */
import { databasePart } from './database-part.js'
import { edgePart } from './edge-part.js'
import { type MetricDefinition, Metrics } from './metrics.js'
import { serverPart } from './server-part.js'
import { switchPart } from './switch-part.js'
import { workPart } from './work-part.js'

const unasked = () => {
  throw new Error('the catalogue asks no part')
}

export function metricCatalogue(): MetricDefinition[] {
  const database = { source: { query: unasked } }
  const metrics = new Metrics((registry) => [
    serverPart(registry, unasked),
    databasePart(registry, database),
    workPart(registry, database, { work: unasked, cells: unasked }),
    switchPart(registry, { api: unasked }),
    edgePart(
      registry,
      { statistics: unasked, tableSizes: unasked },
      { counts: { reachable: 0, unreachable: 0 } },
    ),
  ])
  metrics.start()
  const definitions = metrics.definitions
  metrics.stop()
  return definitions
}

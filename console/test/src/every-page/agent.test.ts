import { routesOf } from './routes.js'
import { everyPageOf } from './visits.js'

everyPageOf('an agent', routesOf('agent'), async (bench, { agent }, context) =>
  bench.agent(agent, '/', context),
)

everyPageOf('a supervisor', routesOf('agent', 'supervisor', 'watcher'), async (bench, rows, context) =>
  bench.agent(rows.supervisor, '/', context),
)

everyPageOf('somebody who is not signed in', routesOf('root'), async (bench, _, context) =>
  bench.open(bench.url, context),
)

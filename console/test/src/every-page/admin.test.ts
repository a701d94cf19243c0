import { routesOf } from './routes.js'
import { everyPageOf } from './visits.js'

everyPageOf('an admin', routesOf('admin', 'watcher'), async (bench, _, context) => bench.admin('/', context))

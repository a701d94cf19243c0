import { routesOf } from './routes.js'
import { everyPageOf } from './visits.js'

everyPageOf('the operator', routesOf('operator'), async (bench, _, context) => bench.operator('/', context))

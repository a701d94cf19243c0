/** Health check of the server's container: the server and its dependencies. */
import { checkServer } from '../parts/server.mjs'
import { dockerSettings } from './docker-settings.mjs'

const settings = dockerSettings()
const { ok, detail } = await checkServer({ host: settings['http.host'], port: settings['http.port'] })
process.stdout.write(`${detail}\n`)
process.exitCode = ok ? 0 : 1

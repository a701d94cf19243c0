/** The server process: reads the configuration, serves, and stops on SIGTERM or SIGINT. */
import { App } from '../app/app.js'
import { stopDeadlineMs } from '../app/parts.js'
import { type Config, ConfigError, readConfig } from '../config/config.js'

/** For a stop whose deadlines do not hold. */
const graceMs = 1_000

function configOrExit(): Config {
  try {
    return readConfig()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(78)
  }
}

const app = new App(configOrExit())

let stopping = false
async function stop(): Promise<void> {
  if (stopping) return
  stopping = true
  setTimeout(() => process.exit(1), stopDeadlineMs + graceMs).unref()
  await app.stop()
  process.exit(0)
}
/** Secrets may be replaced while calls go on. What cannot be read changes nothing. */
function renewSecrets(): void {
  try {
    app.renewSecrets(readConfig())
  } catch (error) {
    process.stderr.write(`the secrets are not renewed: ${(error as Error).message}\n`)
  }
}
process.on('SIGHUP', renewSecrets)
process.on('SIGTERM', () => void stop())
process.on('SIGINT', () => void stop())

try {
  await app.start()
} catch (error) {
  process.stderr.write(`the server cannot start: ${(error as Error).message}\n`)
  process.exit(1)
}

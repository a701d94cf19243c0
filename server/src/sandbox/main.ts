/** The sandbox switch as a process: starts, says so in one line, ends on SIGTERM or SIGINT. */
import { EventSocketServer } from './event-socket-server.js'
import { SandboxSwitch } from './sandbox-switch.js'
import { sandboxSettings } from './settings.js'
import { SmscServer } from './smsc/smsc-server.js'
import { Smsc } from './smsc/smsc.js'

async function main(): Promise<void> {
  const settings = sandboxSettings(process.env)
  const sandbox = new SandboxSwitch(settings.journal, settings.edgeHost)
  const server = new EventSocketServer(sandbox, settings.password)
  const smsc = settings.smppPort === null ? null : new SmscServer(new Smsc())
  const stop = async () => {
    sandbox.stop()
    await Promise.all([server.close(), smsc?.close()])
  }
  try {
    const port = await server.listen(settings.host, settings.port)
    if (smsc) await smsc.listen('127.0.0.1', settings.smppPort ?? 0)
    console.log(`sandbox switch ready on ${settings.host}:${port} (simulated lines, no telephony)`)
  } catch (error) {
    await stop()
    throw error
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop())
}

main().catch((error: unknown) => {
  console.error(`sandbox switch: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
})

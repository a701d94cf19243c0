/** A Kamailio with a configuration of a page, and as much memory as ours. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Child } from '../../../server/dist/test/support/child.js'
import { freePort } from '../../../server/dist/test/support/free-ports.js'

export interface BareKamailio {
  readonly port: number
  /** Its files lie there; its processes name it in their command lines. */
  readonly directory: string
  stop(): Promise<void>
}

/** What every one of them has. */
const head = (port: number, workers: number): string => `#!KAMAILIO
debug=1
log_stderror=yes
fork=yes
children=${workers}
auto_aliases=no
disable_tcp=yes
listen=udp:127.0.0.1:${port}
`

/**
 * @param name of its folder
 * @param modules and routes
 */
export async function startBareKamailio(
  name: string,
  workers: number,
  modules: string,
): Promise<BareKamailio> {
  const directory = await mkdtemp(join(tmpdir(), `jackfield-bench-${name}-`))
  const port = await freePort()
  const file = join(directory, 'kamailio.cfg')
  await writeFile(file, `${head(port, workers)}${modules}`, { mode: 0o600 })
  const memory = ['-m', '256', '-M', '16']
  const child = await Child.start('kamailio', ['-DD', '-E', '-f', file, '-w', directory, ...memory])
  await sleep(2000)
  if (child.obituary) throw new Error(child.obituary)
  return {
    ...{ port, directory },
    async stop() {
      await child.stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

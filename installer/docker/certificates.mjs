/** The service `certificates`: installs changed certificate files, and fetches and renews certificates by ACME. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf } from '../failure.mjs'
import { runMain } from '../progress.mjs'
import { secretPath } from '../secrets.mjs'
import { certificateKeeper } from './certificate-keeper.mjs'
import { dockerSettings } from './docker-settings.mjs'

const LOOK_EVERY_MS = 60_000
/** Its health check requires a recent timestamp. */
const ALIVE = '/tmp/alive'

await runMain(async () => {
  const settings = dockerSettings()
  if (!existsSync(secretPath(settings.home, 'rpc-secret')))
    throw new Error('there are no secrets yet: run docker compose up -d, which makes them')
  mkdirSync(join(settings.home, 'log'), { recursive: true })
  const keeper = certificateKeeper(settings)
  let said = ''
  const look = async () => {
    const problem = await keeper.look().then(
      () => '',
      (/** @type {unknown} */ error) => messageOf(error),
    )
    if (problem !== '' && problem !== said) process.stderr.write(`${problem}\n`)
    said = problem
  }
  const tick = () => {
    writeFileSync(ALIVE, '')
    void look()
  }
  tick()
  const timer = setInterval(tick, LOOK_EVERY_MS)
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT']))
    process.once(signal, () => {
      clearInterval(timer)
      process.exit(0)
    })
  return 0
})

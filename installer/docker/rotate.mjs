/** `docker compose run --rm tools rotate <secret>`: replaces a secret, see docs/operate/secrets.md. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { removeConfigured } from '../backups/places.mjs'
import { Failure } from '../failure.mjs'
import { serverEnvironment } from '../part-options.mjs'
import { journalIn } from '../parts/freeswitch.mjs'
import { runMain, step } from '../progress.mjs'
import { ROTATED, rotate } from '../rotation.mjs'
import { replaceSecret } from '../secrets.mjs'
import { dockerSettings, newRedisPassword, redisEnvironment, redisPasswordPath } from './docker-settings.mjs'
import { requireStopped, serverRuns } from './running.mjs'

const REDIS = 'redis-password'

await runMain(async () => {
  const [name = ''] = process.argv.slice(2)
  if (![...ROTATED, REDIS].includes(name))
    throw new Failure(`name the secret: rotate ${[...ROTATED, REDIS].join(' | ')}`)
  const settings = dockerSettings()
  mkdirSync(join(settings.home, 'log'), { recursive: true })
  /** @type {import('../rotation.mjs').Surroundings} */
  const here = {
    serverRuns: () => serverRuns(settings),
    requireUp() {
      if (!serverRuns(settings))
        throw new Failure('the appliance must be up, as its database is needed: docker compose up -d')
    },
    requireStopped() {
      requireStopped(settings)
      removeConfigured(settings.home)
    },
    environment: () => ({
      ...serverEnvironment(settings, journalIn(join(settings.home, 'freeswitch'))),
      ...redisEnvironment(settings),
    }),
  }
  await step(name, async (report) => {
    if (name !== REDIS) return rotate(settings, name, here, report)
    here.requireStopped(name)
    replaceSecret(redisPasswordPath(settings.home), newRedisPassword())
    report('replaced')
  })
  return 0
})

/** `docker compose run --rm tools take-secrets`: copies the secrets that all cells share from another cell. */
import { removeConfigured } from '../backups/places.mjs'
import { runMain, step } from '../progress.mjs'
import { dockerSettings } from './docker-settings.mjs'
import { givenSecrets, takeAll } from './given-secrets.mjs'
import { requireStopped } from './running.mjs'

await runMain(async () => {
  const settings = dockerSettings()
  const folder = process.env['GIVEN_SECRETS'] ?? ''
  await step('secrets', async (report) => {
    // Kamailio reads it only at its start
    if (givenSecrets(settings.home, folder).some(({ name }) => name === 'rpc-secret')) {
      requireStopped(settings)
      removeConfigured(settings.home)
    }
    const taken = takeAll(settings.home, folder)
    report(taken.length > 0 ? `${taken.join(', ')} taken from ${folder}` : 'all are as in the folder')
  })
  return 0
})

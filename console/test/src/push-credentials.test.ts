import { expect } from 'chai'
import {
  androidCredential,
  iosCredential,
  newPrivateKey,
  serviceAccount,
} from '../../../server/dist/test/api/push-fixtures.js'
import { type PushServers, startPushServers } from '../../../server/dist/test/support/push-bench.js'
import { ConsoleBench } from './support/console-bench.js'
import { looksGood } from './support/looks.js'

const fileOf = (name: string, content: string) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(content),
})

describe('Push credentials in the console', function () {
  this.timeout(180_000)

  let bench: ConsoleBench
  let services: PushServers
  before(async () => {
    services = await startPushServers()
    bench = await ConsoleBench.start({ settings: services.settings })
  })
  after(async () => {
    await bench?.stop()
    await services?.stop()
  })

  it('should keep keys of Apple and Google, try them, and replace them', async () => {
    const { page, problems } = await bench.admin('/push-credentials')
    await page.getByText('No push credentials yet').waitFor()
    await looksGood(page, 'push-credentials-empty')

    await page.getByRole('button', { name: 'New push credential' }).first().click()
    const form = page.getByRole('dialog', { name: 'New push credential' })
    await form.getByRole('textbox', { name: /^Name/ }).fill(iosCredential.name)
    await form.getByRole('combobox', { name: 'API key' }).click()
    await page.getByRole('option', { name: bench.workspace.sid }).click()
    await form.getByLabel('Key id').fill(iosCredential.ios_key_id)
    await form.getByLabel('Team id').fill(iosCredential.ios_team_id)
    await form.getByLabel('Bundle id').fill(iosCredential.ios_bundle_id)
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByText('Required.').waitFor()
    await looksGood(page, 'push-credential-new-ios')
    const upload = form.locator('input[type="file"]')
    await upload.setInputFiles(fileOf('AuthKey_ABCDE12345.p8', iosCredential.ios_private_key))
    await form.getByRole('button', { name: 'Save' }).click()
    await form.waitFor({ state: 'detached' })

    await page.getByRole('table').getByText(iosCredential.name).waitFor()
    await page.getByRole('button', { name: 'New push credential' }).click()
    await form.getByText('Android', { exact: true }).click()
    await form.getByRole('textbox', { name: /^Name/ }).fill(androidCredential.name)
    await form.getByRole('combobox', { name: 'API key' }).click()
    await page.getByRole('option', { name: bench.workspace.sid }).click()
    await upload.setInputFiles(fileOf('service-account.json', JSON.stringify(serviceAccount)))
    await form.getByLabel('Package name').fill(androidCredential.android_package_name)
    await looksGood(page, 'push-credential-new-android')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.waitFor({ state: 'detached' })

    await page.getByRole('button', { name: `Test ${androidCredential.name}` }).click()
    await page.getByText('The push service takes this credential.').waitFor()

    await page.getByRole('link', { name: iosCredential.name }).click()
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    const edit = page.getByRole('dialog', { name: 'Edit push credential' })
    await edit.locator('input[type="file"]').setInputFiles(fileOf('AuthKey.p8', newPrivateKey('p256')))
    await looksGood(page, 'push-credential-edit')
    await edit.getByRole('button', { name: 'Save' }).click()
    await edit.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    await page.getByText('The push service refuses this credential').waitFor()
    await looksGood(page, 'push-credential')
    await page.getByRole('navigation').getByRole('link', { name: 'Push credentials', exact: true }).click()
    await page.getByRole('table').getByText('Refused').waitFor()
    await looksGood(page, 'push-credentials')
    await page.getByRole('button', { name: `Delete ${iosCredential.name}` }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('link', { name: iosCredential.name }).waitFor({ state: 'detached' })
    expect(problems.filter((problem) => !problem.includes('400'))).to.eql([])
  })

  it('should let an editor, who sees no list of keys, name one', async () => {
    const app = { title: 'App', scope: 'full', role: 'viewer' }
    const { body } = await bench.workspace.api.post('/api-keys', app)
    const [sid = ''] = String(body.api_key).split('.')
    const { page } = await bench.keyed('editor', '/push-credentials')
    await page.getByRole('button', { name: 'New push credential' }).first().click()
    const form = page.getByRole('dialog', { name: 'New push credential' })
    await form.getByText('Android', { exact: true }).click()
    await form.getByRole('textbox', { name: /^Name/ }).fill('by an editor')
    await form.getByRole('textbox', { name: 'API key' }).fill(sid)
    await form
      .locator('input[type="file"]')
      .setInputFiles(fileOf('service-account.json', JSON.stringify(serviceAccount)))
    await form.getByLabel('Package name').fill(androidCredential.android_package_name)
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('table').getByText('by an editor').waitFor()
  })
})

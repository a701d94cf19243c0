import { expect } from 'chai'
import { callFlow, newActiveNumber, succeed } from '../../../server/dist/test/api/fixtures.js'
import { pick } from './support/clicks.js'
import { ConsoleBench } from './support/console-bench.js'
import { looksGood } from './support/looks.js'
import { saves } from './support/notices.js'

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

describe('Agents in the console', function () {
  this.timeout(180_000)

  let bench: ConsoleBench
  before(async () => {
    bench = await ConsoleBench.start()
  })
  after(async () => bench?.stop())

  it('should let people change their own account, picture and password', async () => {
    const amara = await bench.makeAgent('amara')
    const { page, problems } = await bench.agent(amara, '/phone')
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: 'My account' }).click()
    const you = page.getByRole('region', { name: 'You', exact: true })
    await you.getByLabel('Name *').fill('Amara Okafor')
    await you.getByText('This server sends no mail.').waitFor()
    await you.getByRole('textbox', { name: 'E-mail' }).fill('not an address')
    await you.getByRole('button', { name: 'Save' }).click()
    await you.locator('[aria-invalid="true"]').waitFor()
    await you.getByRole('textbox', { name: 'E-mail' }).fill('')
    await you.getByLabel('Current password').fill('not this one')
    await you.getByRole('button', { name: 'Save' }).click()
    await you.getByText('The password is wrong.').waitFor()
    await you.getByLabel('Current password').fill(amara.password)
    await saves(page, async () => you.getByRole('button', { name: 'Save' }).click())
    const shown = async () => (await bench.workspace.api.get(`/agents/${amara.id}`)).body
    expect(await shown()).to.include({ display_name: 'Amara Okafor', email: null })

    const file = { name: 'me.png', mimeType: 'image/png', buffer: pixel }
    await page.locator('input[type="file"]').setInputFiles(file)
    const remove = page.getByRole('button', { name: 'Remove the picture' })
    await remove.waitFor()
    expect((await shown()).avatar).to.be.a('string')
    await remove.click()
    await remove.waitFor({ state: 'detached' })
    expect((await shown()).avatar).to.equal(null)

    const password = page.getByRole('region', { name: 'Password' })
    await password.getByLabel('Current password').fill('not this one')
    await password.getByLabel('New password').fill('a new one that is long')
    await password.getByRole('button', { name: 'Change the password' }).click()
    await password.getByText('The password is wrong.').waitFor()
    await password.getByLabel('Current password').fill(amara.password)
    await password.getByRole('button', { name: 'Change the password' }).click()
    await page.getByText('The password is changed').waitFor()
    await bench.agent({ ...amara, password: 'a new one that is long' }, '/account')
    expect(problems.filter((problem) => !problem.includes('400'))).to.eql([])
  })

  it('should show people where they are signed in, and sign them out there', async () => {
    const bela = await bench.makeAgent('bela')
    const { page, problems } = await bench.agent(bela, '/account')
    const elsewhere = await bench.agent(bela, '/account')
    const { username, password } = bela
    const { api } = bench.workspace
    const phone = { username, password, device_id: 'a-phone' }
    const { tokens } = await succeed(api.with({ authorization: undefined }).post('/auth/login', phone))
    const own = api.with({ authorization: `Bearer ${tokens.access_token as string}` })
    const token = { device_id: 'a-phone', push_token: 'f00d', platform: 'android', device_model: 'Pixel 9' }
    await succeed(own.post('/me/devices/voip-push-token', token))
    await page.reload()
    const sessions = page.getByRole('region', { name: 'Where you are signed in' })
    await sessions.getByText('Pixel 9').waitFor()
    expect(await sessions.getByRole('listitem').count()).to.equal(3)
    expect(await sessions.getByText('This browser').count()).to.equal(1)
    await page.getByRole('region', { name: 'Phones that ring for your calls' }).getByText('Android').waitFor()
    await looksGood(page, 'account')
    await page.getByRole('button', { name: 'Stop Pixel 9 from ringing' }).click()
    await page.getByRole('region', { name: 'Phones that ring for your calls' }).waitFor({ state: 'detached' })
    await sessions.getByRole('button', { name: 'Sign out on A browser' }).click()
    await page.getByText('A browser is signed out.').waitFor()
    await elsewhere.page.reload()
    await elsewhere.page.getByRole('heading', { name: /^Sign in to (Workspace )?acme$/ }).waitFor()
    expect(problems).to.eql([])
  })

  it('should let leaders say who is in their teams', async () => {
    const { api } = bench.workspace
    const lena = await bench.makeAgent('lena', { role: 'leader' })
    const chen = await bench.makeAgent('chen', { display_name: 'Chen Li' })
    const { page, problems } = await bench.agent(lena, '/own-teams')
    await page.getByText('You are in no team').waitFor()
    await looksGood(page, 'own-teams-empty')
    const { id: team } = await succeed(api.post('/teams', { name: 'Sales' }))
    await succeed(api.put(`/teams/${team}/agents/${lena.id}`))
    await page.reload()
    await page.getByText('There are no other members in this team yet.').waitFor()
    await pick(page.getByRole('main'), 'Colleague', 'Chen', 'Chen Li (chen)')
    await page.getByRole('button', { name: 'Add to the team' }).click()
    const row = page.getByRole('row', { name: /Chen Li/ })
    await row.getByText('Offline').waitFor()
    await looksGood(page, 'own-teams')
    const chens = await bench.agent(chen, '/account')
    await row.getByText('Available').waitFor()
    await chens.context.close()
    await page.getByRole('button', { name: 'Take Chen Li out of the team' }).click()
    await page.getByText('There are no other members in this team yet.').waitFor()
    expect((await api.get(`/teams/${team}/agents`)).body.meta.total).to.equal(1)
    expect(problems).to.eql([])
  })

  it('should show admins what agents do as it changes, and whom they look for', async () => {
    const dora = await bench.makeAgent('dora', { is_admin: true, display_name: 'Dora', country_code: 'DE' })
    const finn = await bench.makeAgent('finn', { display_name: 'Finn' })
    await bench.makeAgent('gone', { display_name: 'Gone', is_active: false })
    const { page, problems } = await bench.agent(dora, '/agents')
    const byKey = await bench.admin(`/agents/${finn.id}`)
    const finns = page.getByRole('row', { name: /Finn/ })
    await finns.getByText('Offline').waitFor()
    await byKey.page.getByText('Offline').waitFor()
    await bench.agent(finn, '/account')
    await finns.getByText('Available').waitFor()
    await byKey.page.getByText('Available').waitFor()

    const choose = async (field: string, option: string) => {
      await page.getByRole('combobox', { name: field }).click()
      await page.getByRole('option', { name: option, exact: true }).click()
    }
    await choose('Account', 'Cannot sign in')
    await finns.waitFor({ state: 'detached' })
    await page.getByRole('row', { name: /Gone/ }).waitFor()
    await looksGood(page, 'agents-filtered')
    await choose('Account', 'Admins')
    await page.getByRole('row', { name: /Gone/ }).waitFor({ state: 'detached' })
    await page.getByRole('combobox', { name: 'Country' }).fill('Germ')
    await page.getByRole('option', { name: 'Germany' }).click()
    await page.waitForURL(/country=DE/)
    expect(await page.getByRole('row', { name: /Dora/ }).count()).to.equal(1)
    expect(problems).to.eql([])
  })

  it('should offer a number only flows that take calls, and find numbers by what they can do', async () => {
    const { api } = bench.workspace
    for (const trigger_type of ['inbound', 'outbound']) {
      const title = `Flow ${trigger_type}`
      await succeed(api.post('/call-flows', { ...callFlow, title, trigger_type }))
    }
    const { id } = await newActiveNumber(bench.appliance, bench.workspace)
    const { page } = await bench.admin(`/numbers/${id}`)
    await page.getByRole('combobox', { name: 'Call flow' }).click()
    await page.getByRole('option', { name: 'Flow inbound' }).waitFor()
    expect(await page.getByRole('option', { name: 'Flow outbound' }).count()).to.equal(0)
    await page.goto(`${bench.url}/numbers`)
    const rows = page.getByRole('table').getByRole('row')
    await rows.nth(1).waitFor()
    await page.getByRole('combobox', { name: 'Capabilities' }).click()
    await page.getByRole('option', { name: 'SMS' }).click()
    await page.getByRole('status').getByText('Nothing matches what you have chosen').waitFor()
    await page.goto(`${bench.url}/numbers?capability=voice`)
    await rows.nth(1).waitFor()
  })
})

import { expect } from 'chai'
import { ConsoleBench } from './support/console-bench.js'
import { looksGood } from './support/looks.js'

describe('Signing in to the console', () => {
  let bench: ConsoleBench
  before(async () => {
    bench = await ConsoleBench.start()
  })
  after(async () => bench.stop())

  it('should ask an agent for name and password, say what is wrong, and go where they wanted to', async () => {
    const agent = await bench.makeAgent('amara', { is_admin: true })
    const { page, problems } = await bench.open(`${bench.url}/api-keys`)
    await page.getByRole('heading', { name: 'Sign in to acme' }).waitFor()
    await looksGood(page, 'sign-in')
    await page.getByLabel('Username').fill(agent.username)
    await page.locator('input[name="password"]').fill('not this one')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').getByText('Invalid username or password').waitFor()
    await page.locator('input[name="password"]').fill(agent.password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'API keys' }).waitFor()
    expect(new URL(page.url()).pathname).to.equal('/api-keys')
    expect(problems.filter((problem) => !problem.includes('401'))).to.eql([])
  })

  it('should be signed in in every tab, and signed out of all of them', async () => {
    const agent = await bench.makeAgent('bela', { is_admin: true })
    const { page, context } = await bench.agent(agent, '/api-keys')
    const other = await bench.open(`${bench.url}/api-keys`, context)
    await other.page.getByRole('heading', { name: 'API keys' }).waitFor()
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in to acme' }).waitFor()
    await other.page.getByRole('heading', { name: 'Sign in to acme' }).waitFor()
  })

  it('should keep a session when its access token ends', async () => {
    const agent = await bench.makeAgent('chen', { is_admin: true })
    const { page } = await bench.agent(agent, '/api-keys')
    await page.evaluate(() => {
      const tokens = JSON.parse(localStorage.getItem('jackfield.agent') ?? '{}') as Record<string, unknown>
      localStorage.setItem(
        'jackfield.agent',
        JSON.stringify({ ...tokens, access_token: 'gone', expires_at: 0 }),
      )
    })
    await page.reload()
    await page.getByRole('table', { name: 'API keys' }).waitFor()
  })

  it('should try an API key before it is kept, in this tab only', async () => {
    const { page, context } = await bench.open(bench.url)
    await page.getByText('API key', { exact: true }).click()
    await page.getByLabel('API key').last().fill('sid-nothing.wrong')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('Missing or invalid credentials').waitFor()
    const { sid, secret } = bench.workspace
    await page.getByLabel('API key').last().fill(`${sid}.${secret}`)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('navigation').getByRole('link', { name: 'API keys' }).waitFor()
    const other = await bench.open(bench.url, context)
    await other.page.getByRole('heading', { name: 'Sign in to acme' }).waitFor()
  })

  it('should ask the operator for their token, on their host', async () => {
    const { page } = await bench.open(bench.operatorUrl)
    await page.getByRole('heading', { name: 'Sign in to the platform' }).waitFor()
    await looksGood(page, 'sign-in-operator')
    await page.getByLabel('Operator’s token').fill('wrong')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('This needs the operator’s token').waitFor()
  })

  it('should speak German to those who want it', async () => {
    const { page } = await bench.open(bench.url, await bench.context({ locale: 'de-AT' }))
    await page.getByRole('heading', { name: 'Bei acme anmelden' }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).to.equal('de')
  })
})

describe('What surrounds every page', () => {
  let bench: ConsoleBench
  before(async () => {
    bench = await ConsoleBench.start()
  })
  after(async () => bench.stop())

  it('should be usable without a mouse', async () => {
    const { page } = await bench.admin('/api-keys')
    await page.keyboard.press('Control+k')
    const search = page.getByRole('dialog').getByRole('textbox', { name: 'Find a page' })
    await search.fill('api')
    await looksGood(page, 'page-search')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(new URL(page.url()).pathname).to.equal('/api-keys')
    await page.reload()
    await page.getByRole('heading', { name: 'API keys' }).waitFor()
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.textContent)).to.equal('Skip to the content')
  })

  it('should say that the server is gone, keep what is shown, and go on when it is back', async () => {
    const { page } = await bench.admin('/api-keys')
    await page.getByRole('table', { name: 'API keys' }).waitFor()
    await bench.appliance.killServer()
    await page.getByRole('button', { name: 'Refresh' }).click()
    await page.getByText('No connection to the server').waitFor()
    await page.getByRole('table', { name: 'API keys' }).waitFor()
    await bench.appliance.startServer()
    await page.getByText('No connection to the server').waitFor({ state: 'detached' })
  })

  it('should say that an address has no page', async () => {
    const { page } = await bench.admin('/api-keys')
    await page.goto(`${bench.url}/nowhere/at-all`)
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
    await looksGood(page, 'not-found')
  })

  it('should come with a policy that lets nothing in from elsewhere, and files that browsers keep', async () => {
    const page = await bench.get('/numbers/of/no/file', { accept: 'text/html' })
    expect(page.status).to.equal(200)
    expect(page.headers['content-security-policy']).to.include("default-src 'self'")
    expect(page.headers['content-security-policy']).to.include("frame-ancestors 'none'")
    expect(page.headers['cache-control']).to.equal('no-cache')
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(page.text)?.[1] ?? ''
    const file = await bench.get(script, { 'accept-encoding': 'br' })
    expect(file.headers['content-encoding']).to.equal('br')
    expect(file.headers['cache-control']).to.include('immutable')
    const program = await bench.get('/numbers/of/no/file', { accept: '*/*' })
    expect(program.status).to.equal(404)
    expect(JSON.parse(program.text)).to.include({ statusCode: 404 })
    for (const path of ['/api/v1/nothing', '/assets/nothing.js', '/assets/..%2f..%2f..%2fpackage.json']) {
      expect((await bench.get(path, { accept: 'text/html' })).status, path).to.equal(404)
    }
  })
})

import { expect } from 'chai'
import type { Route } from 'playwright-core'
import { newActiveNumber, succeed } from '../../../server/dist/test/api/fixtures.js'
import { eventually } from '../../../server/dist/test/support/api-client.js'
import { watchWire } from '../../../server/dist/test/support/wire.js'
import { ConsoleBench } from './support/console-bench.js'
import { ended, keepTokens, keptTokens } from './support/kept-tokens.js'
import { looksGood } from './support/looks.js'

describe('Signing in to the console', () => {
  let bench: ConsoleBench
  before(async () => {
    bench = await ConsoleBench.start()
  })
  after(async () => bench?.stop())

  it('should ask an agent for name and password, say what is wrong, and go where they wanted to', async () => {
    const agent = await bench.makeAgent('amara', { is_admin: true })
    const { page, problems } = await bench.open(`${bench.url}/api-keys`)
    await page.getByRole('heading', { name: /^Sign in to (Workspace )?acme$/ }).waitFor()
    await looksGood(page, 'sign-in')
    await page.getByLabel('Username').fill(agent.username)
    await page.locator('input[name="password"]').fill('not this one')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').getByText('The name or the password is wrong.').waitFor()
    await page.locator('input[name="password"]').fill(agent.password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'API keys' }).waitFor()
    expect(new URL(page.url()).pathname).to.equal('/api-keys')
    expect(problems.filter((problem) => !problem.includes('401'))).to.eql([])
  })

  it('should come, where nothing is cached, in 200 kB and 30 requests, and home in 30 more', async () => {
    const agent = await bench.makeAgent('first', { role: 'supervisor', is_admin: true })
    const { page } = await bench.open('about:blank')
    const wire = await watchWire(page)
    await page.goto(bench.url)
    await page.getByLabel('Username').fill(agent.username)
    await page.waitForLoadState('networkidle')
    const signIn = wire()
    expect(signIn.requests).to.be.within(5, 30)
    expect(signIn.bytes).to.be.within(100_000, 200_000)
    await page.locator('input[name="password"]').fill(agent.password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: /Amara|first|Home/i }).waitFor()
    // Its live events are a request without an end.
    await page.waitForTimeout(1_000)
    expect(wire().requests).to.be.within(10, 30)
  })

  it('should be signed in in every tab, and signed out of all of them', async () => {
    const agent = await bench.makeAgent('bela', { is_admin: true })
    const { page, context } = await bench.agent(agent, '/api-keys')
    const other = await bench.open(`${bench.url}/api-keys`, context)
    await other.page.getByRole('heading', { name: 'API keys' }).waitFor()
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: /^Sign in to (Workspace )?acme$/ }).waitFor()
    await other.page.getByRole('heading', { name: /^Sign in to (Workspace )?acme$/ }).waitFor()
  })

  it('should keep a session when its access token ends', async () => {
    const agent = await bench.makeAgent('chen', { is_admin: true })
    const { page } = await bench.agent(agent, '/api-keys')
    await keepTokens(page, { ...(await keptTokens(page)), ...ended })
    await page.reload()
    await page.getByRole('table', { name: 'API keys' }).waitFor()
  })

  it('should keep it in all tabs, one of which asks while the answer to another is lost', async () => {
    const agent = await bench.makeAgent('dora', { is_admin: true })
    const { page, context } = await bench.agent(agent, '/api-keys')
    const before = { ...(await keptTokens(page)), ...ended }
    await keepTokens(page, before)
    const tabs = await Promise.all([1, 2, 3].map(async () => bench.open(`${bench.url}/api-keys`, context)))
    for (const tab of tabs) await tab.page.getByRole('table', { name: 'API keys' }).waitFor()
    // As it is where the answer did not come: the server has new tokens, the browser the old ones.
    await keepTokens(page, before)
    await page.reload()
    await page.getByRole('table', { name: 'API keys' }).waitFor()
    const { access_token } = await keptTokens(page)
    const own = await page.evaluate(
      async (token) => (await fetch('/api/v1/me', { headers: { authorization: `Bearer ${token}` } })).status,
      access_token,
    )
    expect(own, 'its session').to.equal(200)
  })

  it('should show every tab to who signed in last, and go on from the page of signing in', async () => {
    const [first, second] = [await bench.makeAgent('edda', { is_admin: true }), await bench.makeAgent('finn')]
    const { page, context } = await bench.agent(first, '/api-keys')
    const waiting = await bench.open(`${bench.url}/sign-in?next=%2Fphone`, context)
    await waiting.page.waitForURL(`${bench.url}/phone`)
    await page.evaluate(() => localStorage.removeItem('jackfield.agent'))
    await waiting.page.getByRole('heading', { name: /^Sign in to (Workspace )?acme$/ }).waitFor()
    await waiting.page.getByLabel('Username').fill(second.username)
    await waiting.page.locator('input[name="password"]').fill(second.password)
    await waiting.page.getByRole('button', { name: 'Sign in' }).click()
    await waiting.page.waitForURL(`${bench.url}/phone`)
    for (const tab of [page, waiting.page]) {
      await tab.getByRole('button', { name: 'Account' }).click()
      await tab.getByText('finn', { exact: true }).first().waitFor()
      await tab.getByRole('navigation').getByRole('link', { name: 'API keys' }).waitFor({ state: 'detached' })
    }
  })

  it('should keep its page when it cannot be asked who is signed in', async () => {
    const agent = await bench.makeAgent('gina', { is_admin: true })
    const { page, context } = await bench.agent(agent, '/api-keys')
    const failing = async (route: Route) =>
      route.fulfill({ status: 500, json: { statusCode: 500, message: 'No' } })
    await context.route('**/api/v1/me', failing)
    await page.reload()
    await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor()
    expect(new URL(page.url()).pathname).to.equal('/api-keys')
  })

  it('should sign out at once, also when the server does not answer', async () => {
    const agent = await bench.makeAgent('hans', { is_admin: true })
    const { page, context } = await bench.agent(agent, '/api-keys')
    let told = ''
    await context.route('**/api/v1/me/logout', (route) => {
      told = route.request().headers()['authorization'] ?? ''
    })
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: /^Sign in to (Workspace )?acme$/ }).waitFor({ timeout: 4_000 })
    expect(told).to.match(/^Bearer /)
  })

  it('should try an API key before it is kept, in this tab only', async () => {
    const { page, context } = await bench.open(bench.url)
    await page.getByText('API key', { exact: true }).click()
    await page.getByLabel('API key').last().fill('sid-nothing.wrong')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('This key or token is not accepted').waitFor()
    const { sid, secret } = bench.workspace
    await page.getByLabel('API key').last().fill(`${sid}.${secret}`)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('navigation').getByRole('link', { name: 'API keys' }).waitFor()
    const other = await bench.open(bench.url, context)
    await other.page.getByRole('heading', { name: /^Sign in to (Workspace )?acme$/ }).waitFor()
  })

  it('should lead from a link that leads no further to the sign-in', async () => {
    for (const path of ['/welcome#used', '/enter#used', '/reset-password']) {
      const { page, context } = await bench.open(`${bench.url}${path}`)
      await page.getByText(/This link was used|open the link in the mail again/i).waitFor()
      expect(await page.getByText('token').count(), path).to.equal(0)
      await page.getByRole('link', { name: 'Back to sign-in' }).click()
      await page.getByRole('heading', { name: /^Sign in to (Workspace )?acme$/ }).waitFor()
      await context.close()
    }
  })

  it('should ask the operator for their token, on their host', async () => {
    const { page } = await bench.open(bench.operatorUrl)
    await page.getByRole('heading', { name: 'Sign in to the platform' }).waitFor()
    await looksGood(page, 'sign-in-operator')
    await page.getByLabel('Operator’s token').fill('wrong')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('This key or token is not accepted').waitFor()
  })

  it('should speak German to those who want it', async () => {
    const { page } = await bench.open(bench.url, await bench.context({ locale: 'de-AT' }))
    await page.getByRole('heading', { name: 'Bei acme anmelden' }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).to.equal('de')
  })

  it('should load German when it is chosen, and no sooner', async () => {
    const context = await bench.context()
    const loaded: string[] = []
    context.on('request', (request) => loaded.push(new URL(request.url()).pathname))
    const german = () => loaded.filter((path) => path.includes('/german-') && path.endsWith('.js'))
    const { page, problems } = await bench.admin('/api-keys', context)
    expect(german()).to.eql([])
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitemradio', { name: 'Deutsch' }).click()
    await page.getByRole('heading', { name: 'API-Schlüssel', level: 1 }).waitFor()
    // A word of all features.
    await page.getByRole('columnheader', { name: 'Angelegt' }).waitFor()
    expect(german()).to.have.length(1)
    expect(problems).to.eql([])
  })

  it('should speak English where the server has no German', async () => {
    const context = await bench.context({ locale: 'de-AT' })
    await context.route(/\/german-[^/]*\.js/, async (route) => route.fulfill({ status: 404 }))
    const { page } = await bench.open(bench.url, context)
    await page.getByRole('heading', { name: /^Sign in to (Workspace )?acme$/ }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).to.equal('en')
  })
})

describe('What surrounds every page', () => {
  let bench: ConsoleBench
  before(async () => {
    bench = await ConsoleBench.start({ settings: { JACKFIELD_STREAM_HEARTBEAT: '2' } })
  })
  after(async () => bench?.stop())

  it('should be usable without a mouse', async () => {
    const { page } = await bench.admin('/api-keys')
    await page.keyboard.press('Control+k')
    const search = page.getByRole('dialog').getByRole('combobox', { name: 'Find anything' })
    await search.fill('api')
    await page.getByRole('option', { name: 'API keys' }).waitFor()
    await looksGood(page, 'page-search')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(new URL(page.url()).pathname).to.equal('/api-keys')
    // The arrow keys choose; what was chosen last comes first; forms open from anywhere.
    await page.keyboard.press('Control+k')
    await page.getByRole('group', { name: 'Chosen last' }).getByRole('option', { name: 'API keys' }).waitFor()
    await search.fill('new te')
    await page.locator('[role="option"][data-combobox-selected]', { hasText: 'New team' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'New team' }).getByLabel('Name').fill('Night shift')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByText('“Night shift” is made').waitFor()
    await page.getByRole('heading', { level: 1, name: 'Night shift' }).waitFor()
    const path = new URL(page.url()).pathname
    await page.keyboard.press('Control+k')
    await search.fill('t')
    const options = page.getByRole('option')
    await options.nth(1).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    expect(await options.nth(1).getAttribute('data-combobox-selected')).to.equal('true')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(new URL(page.url()).pathname).to.equal(path)
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keys' }).getByText('Next row of a list').waitFor()
    await page.getByRole('dialog', { name: 'Keys' }).getByText('Fold the menu').waitFor()
    await looksGood(page, 'keys')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('g')
    await page.keyboard.press('a')
    await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor()
    await page.goto(`${bench.url}/api-keys`)
    await page.getByRole('heading', { name: 'API keys' }).waitFor()
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.textContent)).to.equal('Skip to the content')
    await page.keyboard.press('Enter')
    expect(await page.evaluate(() => document.activeElement?.id)).to.equal('content')
    expect(new URL(page.url()).hash).to.equal('')
  })

  it('should find people, teams, contacts, numbers and flows through the API, and open or call them', async () => {
    const { api } = bench.workspace
    const numbers = ['+12125550177']
    await succeed(api.post('/contacts', { name: 'Maria Miller', numbers }))
    await succeed(api.post('/teams', { name: 'Night desk' }))
    const nodes = [{ id: 'start', type: 'start' }]
    await succeed(api.post('/call-flows', { title: 'Night menu', trigger_type: 'inbound', nodes }))
    const own = await newActiveNumber(bench.appliance, bench.workspace)
    const [lena, nils] = [await bench.makeAgent('lena', { is_admin: true }), await bench.makeAgent('nils')]
    const { page, context } = await bench.agent(lena, '/api-keys')
    const search = page.getByRole('combobox', { name: 'Find anything' })
    // The frame takes keys once it knows who is signed in.
    await page.getByRole('button', { name: /^Your state/ }).waitFor()
    const option = (name: string | RegExp) => page.getByRole('option', { name })
    const find = async (text: string) => {
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.keyboard.press('Control+k')
      await search.fill(text)
    }
    for (const [text, name, path] of [
      ['maria', /^Open Maria Miller/, /^\/contacts$/],
      [own.number.slice(-7), new RegExp(`^Open .*${own.number.slice(-4)}`), /^\/numbers\/pn_/],
      ['nils', /^Open nils/, /^\/agents\/ag_/],
      ['night desk', /^Open Night desk/, /^\/teams\/\w+/],
      ['night menu', /^Open Night menu/, /^\/flows\/cf_/],
    ] as const) {
      await find(text)
      await option(name).click()
      await page.waitForURL(({ pathname }) => path.test(pathname))
    }
    await find('nils')
    const asked = page.waitForRequest(/calls\/make$/)
    await option(/^Call nils/).click()
    expect((await (await asked).response())?.status()).to.equal(201)
    await page.getByRole('region', { name: 'Phone' }).getByText('nils').waitFor()
    await context.close()

    // Agents who are no admins cannot open these pages: they call.
    const plain = await bench.agent(nils, '/phone')
    await plain.page.getByRole('button', { name: /^Your state/ }).waitFor()
    await plain.page.keyboard.press('Control+k')
    await plain.page.getByRole('combobox', { name: 'Find anything' }).fill('night')
    await plain.page.getByRole('option', { name: 'Call Night desk' }).waitFor()
    await plain.page.getByRole('combobox', { name: 'Find anything' }).fill('maria')
    const marias = plain.page.getByRole('option', { name: /^Call Maria Miller/ })
    await marias.waitFor()
    expect(await plain.page.getByRole('option', { name: /^Open/ }).count()).to.equal(0)
    const made = plain.page.waitForRequest(/calls\/make$/)
    await marias.click()
    expect((await (await made).response())?.status()).to.equal(201)
    await plain.page.getByRole('region', { name: 'Phone' }).getByText('Maria Miller').waitFor()
    await plain.context.close()
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

  it('should take a proxy without a server for what it is, and one slow answer for no more than that', async () => {
    const { page, context } = await bench.admin('/api-keys')
    await page.getByRole('table', { name: 'API keys' }).waitFor()
    const proxys = async (route: Route) =>
      route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' })
    await context.route(/\/(api\/v1|health)\//, proxys)
    await page.getByRole('button', { name: 'Refresh' }).click()
    await page.getByText('No connection to the server').waitFor()
    await page.getByRole('table', { name: 'API keys' }).waitFor()
    await context.unroute(/\/(api\/v1|health)\//, proxys)
    await page.getByText('No connection to the server').waitFor({ state: 'detached' })
    // What the API itself cannot do is no lost connection.
    const sent = { status: 503, json: { statusCode: 503, message: 'The storage is away' } }
    await context.route('**/api/v1/api-keys*', async (route) => route.fulfill(sent))
    await page.reload()
    await page.getByRole('alert').getByText('The storage is away').waitFor()
    expect(await page.getByText('No connection to the server').count()).to.equal(0)
  })

  it('should go on with the stream in another tab where the first one was, and leave one that is silent', async () => {
    const agent = await bench.makeAgent('ines')
    const { page, context } = await bench.agent(agent, '/phone')
    const asked: URLSearchParams[] = []
    context.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url())
      if (pathname === '/api/v1/stream') asked.push(searchParams)
    })
    const other = await bench.open(`${bench.url}/phone`, context)
    await other.page.getByRole('heading', { level: 1 }).waitFor()
    // What is told of the leader's place comes with the next heartbeat at the latest.
    await other.page.waitForFunction(async () =>
      (await navigator.locks.query()).pending?.some(({ name }) => name?.includes('live')),
    )
    // That of the first may have been asked for before this test could see it.
    expect(asked.splice(0), 'one tab has it for both').to.have.length.at.most(1)
    await page.close()
    await eventually(
      async () => asked.length,
      (count) => count === 1,
      { withinMs: 20_000, what: 'the stream of the other tab' },
    )
    expect(asked[0]?.get('last_event_id')).to.match(/^evt_/)
    const { serverPid } = bench.appliance
    process.kill(serverPid, 'SIGSTOP')
    try {
      await eventually(
        async () => asked.length,
        (count) => count > 1,
        // One that was not opened yet has not said how often it is to be heard of.
        { withinMs: 60_000, what: 'another stream in place of the silent one' },
      )
    } finally {
      process.kill(serverPid, 'SIGCONT')
    }
  })

  it('should say that an address has no page', async () => {
    const { page } = await bench.admin('/api-keys')
    await page.goto(`${bench.url}/nowhere/at-all`)
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
    await page.getByRole('link', { name: 'API keys' }).waitFor()
    expect(await page.getByText('There is no such page').count()).to.equal(1)
    await looksGood(page, 'not-found')
    await page.goto(`${bench.url}/teams/none`)
    await page.getByRole('heading', { name: 'This does not exist' }).waitFor()
    expect(await page.getByRole('button', { name: 'Add to the team' }).count()).to.equal(0)
    await page.getByRole('main').getByRole('link', { name: 'Teams' }).click()
    await page.getByRole('heading', { name: 'Teams', level: 1 }).waitFor()
  })

  it('should come with a policy that lets nothing in from elsewhere, and files that browsers keep', async () => {
    const page = await bench.get('/numbers/of/no/file', { accept: 'text/html' })
    expect(page.status).to.equal(200)
    expect(page.headers['content-security-policy']).to.include("default-src 'self'")
    expect(page.headers['content-security-policy']).to.include("frame-ancestors 'none'")
    const own = `acme.localhost:${bench.appliance.port}`
    expect(page.headers['content-security-policy']).to.include(`connect-src 'self' ws://${own} wss://${own};`)
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

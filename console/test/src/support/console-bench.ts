/** The console as people have it: a browser at a real server, with a real switch and edge where a test needs calls. */
import { once } from 'node:events'
import { type IncomingHttpHeaders, type IncomingMessage, get as httpGet } from 'node:http'
import { type Browser, type BrowserContext, type Page, chromium } from 'playwright-core'
import { Appliance, type TestWorkspace } from '../../../../server/dist/test/support/appliance.js'
import { browserArguments, findChromium } from '../../../../server/dist/test/support/browser.js'

type ApplianceOptions = Parameters<typeof Appliance.start>[0]

interface Answer {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

export interface ConsoleAgent {
  id: string
  username: string
  password: string
}

const password = 'correct horse battery'

/** A page of the console that somebody has open. */
export interface OpenPage {
  page: Page
  context: BrowserContext
  /** What the page said in its console, and what failed in it. */
  problems: string[]
}

/** How long anything on a page may take, on a machine that is busy with a switch and a database too. */
const patienceMs = 30_000

let shared: Browser | undefined

/** The one browser of this process; it ends with it. */
async function sharedBrowser(): Promise<Browser> {
  if (shared?.isConnected()) return shared
  const executablePath = findChromium()
  if (!executablePath) throw new Error('no Chromium is found')
  return (shared = await chromium.launch({ executablePath, args: [...browserArguments] }))
}

export class ConsoleBench {
  private constructor(
    readonly appliance: Appliance,
    readonly workspace: TestWorkspace,
    readonly browser: Browser,
  ) {}

  /** @param options of the appliance: `switch: 'freeswitch'` for calls; or one that a bench of calls has started */
  static async start(options: ApplianceOptions = {}): Promise<ConsoleBench> {
    const appliance = await Appliance.start({
      ...options,
      settings: {
        JACKFIELD_RATE_LIMITS_DEFAULT: '100000',
        JACKFIELD_RATE_LIMITS_AUTH: '10000',
        ...options?.settings,
      },
    })
    return ConsoleBench.on(await appliance.workspace({ id: 'acme' }))
  }

  /** A browser beside what another bench has started. */
  static async on(workspace: TestWorkspace): Promise<ConsoleBench> {
    return new ConsoleBench(workspace.appliance, workspace, await sharedBrowser())
  }

  /** Address of the workspace's console. */
  get url(): string {
    return `http://${this.workspace.id}.localhost:${this.appliance.port}`
  }

  /** Address of the operator's. */
  get operatorUrl(): string {
    return `http://admin.localhost:${this.appliance.port}`
  }

  /** One file as it comes over the wire: Node knows no hosts below `localhost`, so that the host is named by hand. */
  async get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    const { port } = this.appliance
    const request = httpGet({
      port,
      path,
      headers: { host: `${this.workspace.id}.localhost:${port}`, ...headers },
    })
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    const chunks: Buffer[] = []
    for await (const chunk of response) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    return { status: response.statusCode ?? 0, headers: response.headers, text }
  }

  /** A new browser profile; it speaks English and lives in Berlin. */
  async context(options: Parameters<Browser['newContext']>[0] = {}): Promise<BrowserContext> {
    const context = await this.browser.newContext({
      locale: 'en-GB',
      timezoneId: 'Europe/Berlin',
      viewport: { width: 1280, height: 900 },
      permissions: ['microphone', 'notifications'],
      ...options,
    })
    context.setDefaultTimeout(patienceMs)
    return context
  }

  /** Opens a page whose problems are kept. */
  async open(url: string, context?: BrowserContext): Promise<OpenPage> {
    const own = context ?? (await this.context())
    const page = await own.newPage()
    const problems: string[] = []
    page.on('pageerror', (error) => problems.push(`${error.name}: ${error.message}`))
    page.on('console', (message) => {
      // Of what could not be loaded the text has the status alone.
      if (message.type() === 'error') problems.push(`${message.text()} ${pathOf(message.location().url)}`)
    })
    await page.goto(url)
    return { page, context: own, problems }
  }

  /** An admin by API key, signed in, on one of the workspace's pages. */
  async admin(path = '/', context?: BrowserContext): Promise<OpenPage> {
    const { sid, secret } = this.workspace
    return this.signedIn(this.url, path, { kind: 'api_key', apiKey: `${sid}.${secret}` }, context)
  }

  /** Somebody who has a lesser key of the workspace. */
  async keyed(role: 'editor' | 'viewer', path = '/', context?: BrowserContext): Promise<OpenPage> {
    const made = await this.workspace.api.post('/api-keys', { title: role, scope: 'full', role })
    const { api_key: apiKey } = made.body as { api_key: string }
    return this.signedIn(this.url, path, { kind: 'api_key', apiKey }, context)
  }

  async operator(path = '/', context?: BrowserContext): Promise<OpenPage> {
    const token = this.appliance.operator.authorization?.split(' ')[1] ?? ''
    return this.signedIn(this.operatorUrl, path, { kind: 'operator', token }, context)
  }

  /** Makes an agent. @param more `role`, `is_admin` and the like */
  async makeAgent(username: string, more: object = {}): Promise<ConsoleAgent> {
    const { api } = this.workspace
    const made = await api.post('/agents', {
      ...{ username, password, display_name: username, email: `${username}@example.com` },
      ...more,
    })
    if (made.status !== 201) throw new Error(JSON.stringify(made.body))
    return { id: made.body.id as string, username, password }
  }

  /** An agent who has signed in by the form. */
  async agent(agent: ConsoleAgent, path = '/', context?: BrowserContext): Promise<OpenPage> {
    const opened = await this.open(`${this.url}/sign-in?next=${encodeURIComponent(path)}`, context)
    const { page } = opened
    await page.getByLabel('Username').fill(agent.username)
    await page.locator('input[name="password"]').fill(agent.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(({ pathname }) => pathname !== '/sign-in')
    await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
    return opened
  }

  /** Closes what it has open; the browser stays for the next file. */
  async closePages(): Promise<void> {
    await Promise.all(this.browser.contexts().map(async (context) => context.close()))
  }

  async stop(): Promise<void> {
    await this.closePages()
    await this.appliance.stop()
  }

  /** Signed in as the form leaves it: its own test fills it in. */
  private async signedIn(
    origin: string,
    path: string,
    session: object,
    context?: BrowserContext,
  ): Promise<OpenPage> {
    const own = context ?? (await this.context())
    const kept = JSON.stringify(session)
    await own.addInitScript(
      ([at, value]) => {
        if (location.origin === at) sessionStorage.setItem('jackfield.key', value ?? '')
      },
      [origin, kept],
    )
    const opened = await this.open(`${origin}${path}`, own)
    await opened.page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
    return opened
  }
}

function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : ''
}

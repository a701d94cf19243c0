/** The SDK in Chromium: its modules as they are built, on a page of the workspace's own host. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { type IncomingMessage, type Server, type ServerResponse, createServer, request } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { type TestAppliance, chromiumPath, startAppliance } from './appliance.js'

const sdk = fileURLToPath(new URL('../src/', import.meta.url))
const openapiFetch = join(createRequire(import.meta.url).resolve('openapi-fetch'), '../index.mjs')

/** What the page does, and tells the test. */
const script = `
import { ApiError, createClient, dataOf, formOf, rowsOf } from '@jackfield/sdk'

const tell = (body) => fetch('/result', { method: 'POST', body: JSON.stringify(body) })
try {
  const client = createClient({ url: location.origin, apiKey: API_KEY, retries: 1 })
  const team = await dataOf(client.POST('/teams', { body: { name: 'Made in a browser' } }))
  const names = []
  for await (const { name } of rowsOf((query) => client.GET('/teams', { params: { query } }))) names.push(name)
  const refused = await dataOf(client.GET('/teams/{id}', { params: { path: { id: 'te_none' } } })).catch((e) => e)
  const late = await createClient({ url: location.origin, apiKey: API_KEY, timeoutMs: 1 })
    .GET('/calls').catch((e) => e)
  const tone = new Blob([Uint8Array.from(atob(WAV), (c) => c.charCodeAt(0))])
  const audio = await dataOf(client.POST('/audios', { body: formOf({ title: 'Tone', file: tone }) }))
  await tell({
    names,
    refused: [refused instanceof ApiError, refused.status, refused.message],
    late: late.name,
    audio: audio.source,
  })
} catch (error) {
  await tell({ error: String(error) })
}
`

describe('the SDK in a browser', function () {
  this.timeout(120_000)
  let appliance: TestAppliance
  let site: Server
  let browser: ChildProcess | undefined
  let profile: string
  let told: (result: unknown) => void

  before(async () => {
    appliance = await startAppliance()
    profile = await mkdtemp(join(tmpdir(), 'jackfield-chromium-'))
    site = createServer((asked, answer) => {
      void serve(asked, answer).catch(() => answer.destroy())
    })
    await new Promise<void>((listening) => site.listen(0, '127.0.0.1', listening))
  })
  after(async () => {
    // Without a pid it was never started.
    if (browser?.pid !== undefined && browser.exitCode === null && browser.signalCode === null) {
      const gone = new Promise((exited) => browser?.on('exit', exited))
      // Debian's program is a script that waits for the browser: the signal goes to both.
      process.kill(-browser.pid, 'SIGKILL')
      await gone
    }
    site?.closeAllConnections()
    site?.close()
    await appliance?.stop()
    await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  })

  /** The page and its modules; what is the API's goes on to the appliance, as through a customer's proxy. */
  async function serve(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const path = asked.url ?? '/'
    if (path.startsWith('/api/')) {
      const { method, headers } = asked
      const onward = request({ host: '127.0.0.1', port: appliance.port, path, method, headers })
      onward.on('response', (got) => {
        answer.writeHead(got.statusCode ?? 502, got.headers)
        got.pipe(answer)
      })
      onward.on('error', () => answer.destroy())
      asked.on('error', () => onward.destroy())
      asked.pipe(onward)
    } else if (path === '/result') {
      told(JSON.parse(await text(asked)))
      answer.end()
    } else if (path === '/openapi-fetch.mjs') module(answer, readFileSync(openapiFetch))
    else if (/^\/sdk\/[a-z]+\.js$/.test(path)) module(answer, readFileSync(join(sdk, path.slice(5))))
    else if (path === '/page.js') {
      const constants = { API_KEY: appliance.apiKey, WAV: tone().toString('base64') }
      const lines = Object.entries(constants).map(
        ([name, value]) => `const ${name} = ${JSON.stringify(value)}`,
      )
      module(
        answer,
        [script.split('\n\n')[0], ...lines, script.split('\n\n').slice(1).join('\n\n')].join('\n'),
      )
    } else if (path === '/') {
      const imports = { '@jackfield/sdk': '/sdk/index.js', 'openapi-fetch': '/openapi-fetch.mjs' }
      answer.setHeader('content-type', 'text/html')
      answer.end(`<!doctype html><title>SDK</title>
        <script type="importmap">${JSON.stringify({ imports })}</script>
        <script type="module" src="/page.js"></script>`)
    } else answer.writeHead(404).end()
  }

  it('calls the API from a page of the workspace’s host', async () => {
    const { port } = site.address() as AddressInfo
    const chromium = await chromiumPath()
    const result = new Promise<unknown>((resolve, reject) => {
      told = resolve
      browser = spawn(
        chromium,
        [
          ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run'],
          ...[`--user-data-dir=${profile}`, `http://acme.localhost:${port}/`],
          ...['--remote-debugging-port=0'],
        ],
        { stdio: ['ignore', 'ignore', 'pipe'], detached: true },
      )
      let log = ''
      browser.stderr?.on('data', (chunk: Buffer) => (log = (log + chunk.toString()).slice(-4_000)))
      browser.on('error', reject)
      browser.on('exit', (code) => reject(new Error(`Chromium ended with ${String(code)}: ${log}`)))
    })
    expect(await result).to.deep.equal({
      names: ['Made in a browser'],
      refused: [true, 404, 'Team not found'],
      late: 'TimeoutError',
      audio: 'upload',
    })
  })
})

function module(answer: ServerResponse, content: string | Buffer): void {
  answer.setHeader('content-type', 'text/javascript')
  answer.end(content)
}

/** A second of a square wave of 1 kHz, as WAV. */
function tone(): Buffer {
  const samples = Buffer.from(Array.from({ length: 16_000 }, (_, index) => (index % 16 < 8 ? 32 : 224)))
  const header = Buffer.from('RIFF....WAVEfmt ....................data....', 'latin1')
  header.writeUInt32LE(36 + samples.length, 4)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(8_000, 24)
  header.writeUInt32LE(16_000, 28)
  header.writeUInt16LE(2, 32)
  header.writeUInt16LE(16, 34)
  header.writeUInt32LE(samples.length, 40)
  return Buffer.concat([header, samples])
}

/** Requests that are made to break what reads them: their framing, their headers, their paths, uploads that break off. */
import { existsSync, readdirSync, readlinkSync } from 'node:fs'
import { type Socket, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { expect } from 'chai'
import { eventually } from '../support/api-client.js'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { newAgent, startUnlimited, succeed } from './fixtures.js'

/** The server looks for slow requests every 30 s, and gives headers 15 s. */
const slowMs = 50_000

describe('attacks on the wire', function () {
  this.timeout(slowMs + 20_000)
  let appliance: Appliance
  let workspace: TestWorkspace
  let host: string
  let slow: Conversation

  before(async () => {
    appliance = await startUnlimited({ JACKFIELD_HTTP_TRUSTED_PROXIES: '127.0.0.0/8' })
    workspace = await appliance.workspace()
    host = `${workspace.id}.localhost`
    // It takes half a minute: the other tests run meanwhile.
    slow = open(appliance.port, `GET /api/v1/profile HTTP/1.1\r\nHost: ${host}\r\nX-Slow: `)
  })
  after(async () => appliance?.stop())

  const said = async (text: string) => open(appliance.port, text).end

  it('with two lengths, or a length beside chunks, are refused', async () => {
    const body = '0\r\n\r\nGET /api/v1/profile HTTP/1.1\r\nHost: x\r\n\r\n'
    for (const lengths of [
      `Content-Length: ${body.length}\r\nTransfer-Encoding: chunked`,
      `Transfer-Encoding: chunked\r\nContent-Length: ${body.length}`,
      'Content-Length: 5\r\nContent-Length: 50',
      'Transfer-Encoding: chunked, identity',
      'Transfer-Encoding: xchunked',
      'Content-Length: +5',
      'Content-Length: 5, 5',
    ]) {
      const answer = await said(
        `POST /api/v1/auth/login HTTP/1.1\r\nHost: ${host}\r\n${lengths}\r\n\r\n${body}`,
      )
      expect(answer, lengths).to.match(/^HTTP\/1\.1 400 /)
      expect(answer.match(/HTTP\/1\.1/g), lengths).to.have.length(1)
    }
  })

  it('with 20 kB of headers are answered 431', async () => {
    const headers = Array.from({ length: 20 }, (_, index) => `X-${index}: ${'x'.repeat(1_000)}`).join('\r\n')
    const answer = await said(`GET /api/v1/profile HTTP/1.1\r\nHost: ${host}\r\n${headers}\r\n\r\n`)
    expect(answer).to.match(/^HTTP\/1\.1 431 /)
  })

  it('with paths out of a folder find nothing', async () => {
    const ups = ['..', '%2e%2e', '..%2f..', '..%5c..', '%252e%252e', '....//', '..;', '\\..']
    const roots = ['/', '/assets/', '/api/v1/docs/', '/api/v1/avatars/', '/docs/', '/api/v1/media/']
    for (const root of roots) {
      for (const up of ups) {
        const path = `${root}${`${up}/`.repeat(8)}etc/passwd`
        const answer = await said(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
        expect(answer, path).to.match(/^HTTP\/1\.1 (200|301|302|308|400|404) /)
        expect(answer, path).not.to.include('root:')
      }
      for (const odd of ['%00', 'index.html%00.png', '%', '%E0%A4%A', '%0d%0aX-Injected:%201']) {
        const answer = await said(`GET ${root}${odd} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
        expect(answer, root + odd).to.match(/^HTTP\/1\.1 (200|400|404) /)
        expect(answer, root + odd).not.to.match(/^x-injected/im)
      }
    }
  })

  it('with uploads that break off or are too large leave no file behind', async () => {
    const id = await newAgent(workspace.api)
    const head = (length: number) =>
      [
        ...[
          `PATCH /api/v1/agents/${id}/avatar HTTP/1.1`,
          `Host: ${host}`,
          'Content-Type: multipart/form-data; boundary=x',
        ],
        ...[`Authorization: ${workspace.api.authorization}`, `Content-Length: ${length}`, '', ''],
      ].join('\r\n')
    const part =
      '--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n'
    const { socket } = open(appliance.port, head(2_000_000) + part + 'x'.repeat(500_000))
    const [file] = await eventually(
      async () => Promise.resolve(temporaryFiles(appliance.serverPid)),
      (files) => files.length > 0,
    )
    socket.destroy()
    await eventually(
      async () => Promise.resolve(existsSync(file!)),
      (exists) => !exists,
    )
    const large = await said(`${head(6_000_000)}${part}${'x'.repeat(6_000_000 - part.length)}`)
    expect(large).to.match(/^HTTP\/1\.1 400 /)
    await eventually(
      async () => Promise.resolve(temporaryFiles(appliance.serverPid)),
      (files) => files.length === 0,
    )
  })

  it('find the same headers on every answer', async () => {
    const anybody = workspace.api.with({ authorization: undefined })
    for (const path of ['/profile', '/agents', '/nothing', '/agents?x=1', '/stream']) {
      for (const client of [workspace.api, anybody]) {
        const { headers } = await client.get(path)
        expect(headers, path).to.include({
          ...{ 'x-content-type-options': 'nosniff', 'referrer-policy': 'same-origin' },
          'cache-control': 'no-store',
        })
        expect(headers, path).not.to.have.property('strict-transport-security')
      }
    }
    const proxied = await said(
      `GET /api/v1/profile HTTP/1.1\r\nHost: ${host}\r\nX-Forwarded-Proto: https\r\nConnection: close\r\n\r\n`,
    )
    expect(proxied).to.match(/^strict-transport-security: max-age=31536000\r$/im)
    expect(await succeed(workspace.api.get('/profile'))).to.be.an('object')
  })

  it('that never end their headers are answered 408', async () => {
    expect(await slow.end).to.match(/^HTTP\/1\.1 408 /)
  })
})

interface Conversation {
  socket: Socket
  /** What was answered until the other end closed, or had nothing more to say for two seconds after it began. */
  end: Promise<string>
}

function open(port: number, text: string): Conversation {
  const socket = connect(port, '127.0.0.1', () => socket.write(text))
  const end = new Promise<string>((resolve) => {
    let answer = ''
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1')
      socket.setTimeout(2_000, () => socket.destroy())
    })
    socket.on('close', () => resolve(answer))
  })
  return { socket, end }
}

/** Files of uploads that a process has open. */
function temporaryFiles(pid: number): string[] {
  return readdirSync(`/proc/${pid}/fd`)
    .flatMap((fd) => {
      try {
        return [readlinkSync(`/proc/${pid}/fd/${fd}`)]
      } catch {
        return [] // closed meanwhile
      }
    })
    .filter((path) => path.startsWith(`${tmpdir()}/`) && /\/[a-z0-9]{25}$/.test(path))
}

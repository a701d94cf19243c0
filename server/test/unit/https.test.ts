import { expect } from 'chai'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { type IncomingMessage, type RequestOptions, Agent as PlainAgent, request as plain } from 'node:http'
import { Agent, request as secure } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { promisify } from 'node:util'
import { pino } from 'pino'
import { HttpServers } from '../../src/infrastructure/http/http-servers.js'
import { TlsServer } from '../../src/infrastructure/http/tls-server.js'
import { ConfigError, readConfig } from '../../src/config/config.js'
import { eventually } from '../support/api-client.js'
import { freePorts } from '../support/free-ports.js'

const secrets = {
  JACKFIELD_OPERATOR_TOKEN: 'op-'.padEnd(30, 'x'),
  JACKFIELD_SECRET_KEY: Buffer.alloc(32).toString('base64'),
  JACKFIELD_DATABASE_PASSWORD: 'x',
  JACKFIELD_SWITCH_PASSWORD: 'x',
}

describe('the API over HTTPS', () => {
  let directory: string
  before(async () => (directory = await mkdtemp(join(tmpdir(), 'jackfield-https-'))))
  after(async () => rm(directory, { recursive: true, force: true }))

  /** Writes a new pair where the old one was, the certificate in one step. */
  const renew = async (name: string) => {
    const certificateFile = join(directory, 'server.crt')
    const keyFile = join(directory, 'server.key')
    await promisify(execFile)('openssl', [
      ...[
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:prime256v1',
        '-nodes',
        '-days',
        '2',
      ],
      ...['-subj', `/CN=${name}`, '-keyout', keyFile, '-out', `${certificateFile}.new`],
    ])
    await rename(`${certificateFile}.new`, certificateFile)
    return { certificateFile, keyFile }
  }

  it('shows a renewed certificate to new connections, while old ones go on, and keeps it when the next is none', async () => {
    const files = await renew('one')
    let said = ''
    const log = pino({ level: 'error' }, { write: (line: string) => (said += line) })
    const tls = await TlsServer.make((_, response) => response.end('here'), {
      ...files,
      log,
      lookEveryMs: 50,
    })
    tls.server.listen(0, '127.0.0.1')
    await once(tls.server, 'listening')
    const { port } = tls.server.address() as AddressInfo
    const kept = new Agent({ keepAlive: true, maxSockets: 1 })
    const ask = async (agent = new Agent()) => answerOf(secure, { port, agent, rejectUnauthorized: false })
    try {
      const first = await ask(kept)
      expect(first.certificate).to.equal('one')
      await renew('two')
      await eventually(ask, ({ certificate }) => certificate === 'two', {
        withinMs: 5000,
        what: 'the new one',
      })
      const second = await ask(kept)
      expect([second.body, second.localPort]).to.deep.equal(['here', first.localPort])
      await writeFile(files.certificateFile, 'half of a certificate')
      await eventually(
        async () => Promise.resolve(said),
        (text) => text.includes('cannot be used'),
        {
          withinMs: 5000,
          what: 'the refusal of the next one',
        },
      )
      expect((await ask()).certificate).to.equal('two')
    } finally {
      tls.stop()
      kept.destroy()
      tls.server.close()
    }
  })

  it('leads others there from plain HTTP, but answers this machine, and who checks names', async () => {
    const files = await renew('three')
    const [port = 0, tlsPort = 0] = await freePorts(2)
    const config = readConfig({
      ...secrets,
      JACKFIELD_HTTP_HOST: '0.0.0.0',
      JACKFIELD_HTTP_PORT: String(port),
      JACKFIELD_HTTP_TLS_PORT: String(tlsPort),
      JACKFIELD_HTTP_TLS_CERTIFICATE_FILE: files.certificateFile,
      JACKFIELD_HTTP_TLS_KEY_FILE: files.keyFile,
      JACKFIELD_HTTP_CHALLENGE_DIRECTORY: directory,
      JACKFIELD_BASE_DOMAIN: 'example.test',
    })
    expect(config.http.public_url).to.equal(`https://{workspace}.example.test:${tlsPort}`)
    await mkdir(join(directory, '.well-known/acme-challenge'), { recursive: true })
    await writeFile(join(directory, '.well-known/acme-challenge/token-1'), 'token-1.proof')
    const servers = await HttpServers.make(
      config,
      (_, response) => response.end('here'),
      pino({ level: 'silent' }),
    )
    await servers.listen()
    const host = ownAddress()
    const ask = async (path: string, address: string, headers: Record<string, string> = {}) =>
      answerOf(plain, {
        host: address,
        port,
        path,
        agent: new PlainAgent(),
        headers: { host: 'acme.example.test', ...headers },
      })
    try {
      expect((await ask('/api/v1/calls?x=1', '127.0.0.1')).body).to.equal('here')
      const led = await ask('/api/v1/calls?x=1', host)
      expect([led.status, led.location]).to.deep.equal([
        308,
        `https://acme.example.test:${tlsPort}/api/v1/calls?x=1`,
      ])
      expect((await ask('/api/v1/calls', host, { host: 'evil.example' })).status).to.equal(421)
      const clear = await ask('/api/v1/calls', host, { authorization: 'ApiKey sid-x.y' })
      expect([clear.status, clear.body]).to.deep.equal([
        403,
        JSON.stringify({
          ...{ statusCode: 403, error: 'Forbidden' },
          message: `Credentials must not come in clear: use https://acme.example.test:${tlsPort}/api/v1/calls`,
        }),
      ])
      expect((await ask('/health', host)).body).to.equal('here')
      expect((await ask('/.well-known/acme-challenge/token-1', host)).body).to.equal('token-1.proof')
      expect((await ask('/.well-known/acme-challenge/token-2', host)).status).to.equal(404)
      expect((await ask('/.well-known/acme-challenge/..%2f..%2fserver.key', host)).status).to.equal(308)
      const over = { host, port: tlsPort, agent: new Agent(), rejectUnauthorized: false }
      expect((await answerOf(secure, over)).body).to.equal('here')
    } finally {
      await servers.close()
    }
  })

  it('stops also where somebody has connected and says nothing', async () => {
    const log = pino({ level: 'silent' })
    const tls = await TlsServer.make((_, response) => response.end('here'), { ...(await renew('four')), log })
    tls.server.listen(0, '127.0.0.1')
    await once(tls.server, 'listening')
    const silent = connect((tls.server.address() as AddressInfo).port, '127.0.0.1')
    silent.on('error', () => undefined)
    await once(tls.server, 'connection')
    tls.stop()
    const closed = new Promise((resolve) => tls.server.close(resolve))
    tls.server.closeAllConnections()
    tls.cut()
    await closed
    silent.destroy()
  })

  it('needs a certificate', () => {
    expect(() => readConfig({ ...secrets, JACKFIELD_HTTP_TLS_PORT: '443' })).to.throw(
      ConfigError,
      'JACKFIELD_HTTP_TLS_CERTIFICATE_FILE and JACKFIELD_HTTP_TLS_KEY_FILE are needed',
    )
  })
})

/** An address of this machine that is not its loopback. */
function ownAddress(): string {
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  const found = own.find(({ internal, family }) => !internal && family === 'IPv4')
  if (!found) throw new Error('this machine has no address but its loopback')
  return found.address
}

async function answerOf(ask: typeof plain, options: RequestOptions & { rejectUnauthorized?: boolean }) {
  const sent = ask(options).end()
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  let body = ''
  for await (const chunk of answer) body += String(chunk)
  const { statusCode: status, headers } = answer
  const socket = sent.socket as TLSSocket | null
  const certificate = socket && 'getPeerCertificate' in socket ? socket.getPeerCertificate().subject.CN : ''
  return { status, body, location: headers.location, certificate, localPort: socket?.localPort }
}

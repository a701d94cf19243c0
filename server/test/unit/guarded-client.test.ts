/** The guarded client against servers that mean harm: nothing private is reached, and nothing is endless. */
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { AddressPolicy } from '../../src/infrastructure/http-client/address-policy.js'
import { type Network, parseNetwork } from '../../src/lib/networks.js'
import { RequestFailedError, RequestRefusedError } from '../../src/infrastructure/http-client/errors.js'
import { GuardedClient, type GuardedRequest } from '../../src/infrastructure/http-client/guarded-client.js'
import { brokenUrlRule } from '../../src/infrastructure/http-client/urls.js'
import { eventually } from '../support/api-client.js'
import { DnsServer } from '../support/dns-server.js'
import { selfSigned } from '../support/tls-relay.js'

const networks = (...blocks: string[]): Network[] => blocks.map((block) => parseNetwork(block)!)

const refusedAddresses = [
  ...['0.0.0.0', '0.1.2.3', '10.0.0.1', '100.64.0.1', '100.127.255.255', '127.0.0.1', '127.255.255.254'],
  ...[
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.8',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.1.1',
  ],
  ...['198.18.0.1', '198.19.255.255', '198.51.100.1', '203.0.113.9', '224.0.0.1', '239.1.1.1', '240.0.0.1'],
  ...[
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:a9fe:a9fe',
    '::ffff:0:10.0.0.1',
  ],
  ...[
    '64:ff9b::127.0.0.1',
    '64:ff9b:1::a00:1',
    '100::1',
    '2001::1',
    '2001:2::1',
    '2001:db8::1',
    '2002:7f00:1::',
  ],
  ...[
    '3fff::1',
    '4000::1',
    '5f00::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%lo',
    'fec0::1',
    'ff02::1',
  ],
  ...['', 'localhost', '10.0.0', '1.2.3.4.5'],
]
const publicAddresses = [
  '1.1.1.1',
  '8.8.8.8',
  '172.32.0.1',
  '100.128.0.1',
  '::ffff:8.8.8.8',
  '2606:4700::1111',
]

describe('addresses that may be connected to', () => {
  it('are the public ones', () => {
    const policy = new AddressPolicy([])
    for (const address of refusedAddresses) expect(policy.allows(address), address).to.equal(false)
    for (const address of publicAddresses) expect(policy.allows(address), address).to.equal(true)
  })

  it('and those of the networks that the operator allows, however they are written', () => {
    const policy = new AddressPolicy(networks('10.1.0.0/16', 'fd12::/32'))
    for (const address of ['10.1.2.3', '::ffff:10.1.2.3', 'fd12:0::1']) {
      expect(policy.allows(address), address).to.equal(true)
    }
    for (const address of ['10.2.0.1', 'fd13::1', '127.0.0.1', '64:ff9b::10.1.2.3']) {
      expect(policy.allows(address), address).to.equal(false)
    }
  })

  it('but never the hosts of clouds, unless one is named by its address', () => {
    const wide = new AddressPolicy(networks('0.0.0.0/0', '::/0'))
    const clouds = ['168.63.129.16', '100.100.100.200', '192.0.0.192', '169.254.169.254', '169.254.170.2']
    for (const address of [...clouds, '::ffff:168.63.129.16', 'fd00:ec2::254', 'fd00:0ec2:0::0254']) {
      expect(new AddressPolicy([]).allows(address), address).to.equal(false)
      expect(wide.allows(address), address).to.equal(false)
    }
    expect(new AddressPolicy(networks('169.254.169.254/32')).allows('169.254.169.254')).to.equal(true)
  })

  it('are not named by what is no block', () => {
    for (const text of ['', '10.0.0.1', '10.0.0.0/33', 'fd00::/129', 'x/8']) {
      expect(parseNetwork(text), text).to.equal(undefined)
    }
  })
})

describe('URLs that may be called', () => {
  const broken = (url: string) => brokenUrlRule(url, new AddressPolicy([]))

  it('are of the web, without credentials, and lead to no private address', () => {
    for (const url of [
      'https://example.com',
      'http://example.com:8080/x?y=1',
      'https://[2606:4700::1111]/',
    ]) {
      expect(broken(url), url).to.equal(undefined)
    }
    const loopbacks = [
      '127.0.0.1',
      '127.1',
      '2130706433',
      '0x7f.0.0.1',
      '0177.0.0.1',
      '[::1]',
      '[::ffff:7f00:1]',
      '0',
    ]
    for (const host of loopbacks) expect(broken(`http://${host}/`), host).to.equal('lead to a public address')
    const others = [
      '',
      'x',
      '//example.com',
      'ftp://example.com',
      'file:///etc/passwd',
      'javascript:1',
      'http://',
    ]
    for (const url of others) expect(broken(url), url).to.equal('be an http or https URL')
    for (const url of ['http://me@example.com', 'http://me:pw@example.com']) {
      expect(broken(url), url).to.equal('hold no credentials')
    }
    for (const port of [22, 25, 53, 1023]) expect(broken(`http://example.com:${port}`)).to.match(/^name port/)
    expect(broken(`http://example.com/${'x'.repeat(2_048)}`)).to.match(/^have at most/)
  })
})

describe('the guarded client', function () {
  this.timeout(20_000)

  /** 127.0.0.2 stands for the Internet, 127.0.0.1 for what must not be reached. */
  let open: Server
  let hidden: Server
  let dns: DnsServer
  let client: GuardedClient
  let reached: string[]
  let hiddenReached = 0
  let answer: (request: IncomingMessage, response: ServerResponse) => void

  before(async () => {
    open = createServer((request, response) => {
      reached.push(`${request.method} ${request.url}`)
      answer(request, response)
    })
    hidden = createServer((_, response) => {
      hiddenReached += 1
      response.end('secret')
    })
    open.listen(0, '127.0.0.2')
    await once(open, 'listening')
    hidden.listen(portOf(open), '127.0.0.1')
    await once(hidden, 'listening')
    dns = await DnsServer.start((name, asked) => {
      if (name === 'rebinding.test') return [asked === 0 ? '127.0.0.2' : '127.0.0.1']
      if (name === 'both.test') return ['127.0.0.1', '127.0.0.2']
      if (name === 'hidden.test') return ['127.0.0.1']
      return name === 'silent.test' ? undefined : []
    })
    client = new GuardedClient({ allowed_networks: networks('127.0.0.2/32'), dns_servers: [dns.address] })
  })
  beforeEach(() => {
    reached = []
    answer = (_, response) => response.end('hello')
  })
  afterEach(() => expect(hiddenReached, 'the hidden server was reached').to.equal(0))
  after(async () => {
    client?.close()
    dns?.close()
    for (const server of [open, hidden]) {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    }
  })

  const portOf = (server: Server) => (server.address() as AddressInfo).port
  const at = (host: string, path = '/') => `http://${host}:${portOf(open)}${path}`

  async function ask(url: string, changes: Partial<GuardedRequest> = {}) {
    return client.request({
      method: 'GET',
      url,
      owner: 'ws_a',
      timeoutMs: 3_000,
      maxResponseBytes: 1_000,
      tooLong: 'fail',
      ...changes,
    })
  }

  async function failure(url: string, changes: Partial<GuardedRequest> = {}): Promise<Error> {
    const answered = await ask(url, changes).catch((error: unknown) => error as Error)
    if (!(answered instanceof RequestFailedError)) throw new Error(`unexpected: ${JSON.stringify(answered)}`)
    return answered
  }

  async function refusal(url: string, changes: Partial<GuardedRequest> = {}): Promise<string> {
    const error = await failure(url, changes)
    expect(error, error.message).to.be.instanceOf(RequestRefusedError)
    return error.message
  }

  it('answers what a server that may be reached answers', async () => {
    answer = (request, response) => {
      response.writeHead(418, { 'x-seen': request.headers['x-mine'] ?? '' })
      request.pipe(response)
    }
    const given = { method: 'POST', body: '{"é":1}', headers: { 'X-Mine': 'yes' } } as const
    const { status, headers, body } = await ask(at('127.0.0.2'), given)
    expect({ status, seen: headers['x-seen'], body: body.toString() }).to.deep.equal({
      status: 418,
      seen: 'yes',
      body: '{"é":1}',
    })
  })

  it('refuses hidden addresses in every form, whether named or written', async () => {
    for (const host of [
      '127.0.0.1',
      '127.1',
      '0x7f000001',
      '[::ffff:127.0.0.1]',
      '[::1]',
      '0.0.0.0',
      '169.254.169.254',
    ]) {
      expect(await refusal(at(host)), host).to.include('public address')
    }
    expect(await refusal(at('hidden.test'))).to.include('leads to no public address')
    expect(await refusal('ftp://127.0.0.2/')).to.include('http or https')
  })

  it('connects where it looked: a name that leads elsewhere the next time gains nothing', async () => {
    expect((await ask(at('rebinding.test'))).body.toString()).to.equal('hello')
    expect(dns.asked('rebinding.test')).to.equal(1)
    await refusal(at('rebinding.test'))
    expect((await ask(at('both.test'))).body.toString()).to.equal('hello')
  })

  it('says so when a host is not known, or its name server is silent', async () => {
    expect((await failure(at('nobody.test'))).message).to.equal('the host nobody.test is not known')
    const since = Date.now()
    expect((await failure(at('silent.test'), { timeoutMs: 500 })).message).to.equal(
      'no whole answer within 0.5 s',
    )
    expect(Date.now() - since).to.be.below(1_500)
  })

  it('holds redirects to the same rules', async () => {
    const to = (location: string, status = 307) => {
      answer = (_, response) => void response.writeHead(status, { location }).end()
    }
    for (const location of [
      at('127.0.0.1'),
      at('hidden.test'),
      'file:///etc/passwd',
      'http://127.0.0.2:25/',
      'http://[',
    ]) {
      to(location)
      await refusal(at('127.0.0.2'))
    }
    to('/again')
    expect(await refusal(at('127.0.0.2'))).to.equal('more than 3 redirects')
    expect(reached.slice(-4)).to.deep.equal(['GET /', 'GET /again', 'GET /again', 'GET /again'])
  })

  it('never changes a method to follow a redirect', async () => {
    answer = (request, response) => {
      const status = Number(request.url?.slice(1))
      if (status) response.writeHead(status, { location: '/end' }).end()
      else request.pipe(response)
    }
    const post = { method: 'POST', body: 'x' } as const
    for (const status of [301, 302, 303]) {
      expect((await ask(at('127.0.0.2', `/${status}`), post)).status).to.equal(status)
      expect((await ask(at('127.0.0.2', `/${status}`))).status).to.equal(200)
    }
    for (const status of [307, 308]) {
      expect((await ask(at('127.0.0.2', `/${status}`), post)).body.toString()).to.equal('x')
      expect(reached.at(-1)).to.equal('POST /end')
    }
  })

  it('tells another origin nothing that may be a secret', async () => {
    const seen: unknown[] = []
    answer = (request, response) => {
      const { authorization, 'x-api-key': key, 'jackfield-signature': signature, accept } = request.headers
      seen.push([authorization, key, signature, accept, request.headers['content-type']])
      if (request.url === '/here') response.writeHead(307, { location: '/there' }).end()
      else if (request.url === '/there') response.writeHead(307, { location: at('both.test', '/end') }).end()
      else response.end()
    }
    const secrets = { Authorization: 'Bearer x', 'X-Api-Key': 'k', 'Jackfield-Signature': 't=1,v1=0' }
    const headers = { ...secrets, Accept: 'text/plain', 'content-type': 'application/json' }
    await ask(at('127.0.0.2', '/here'), { method: 'POST', body: '{}', headers })
    const all = ['Bearer x', 'k', 't=1,v1=0', 'text/plain', 'application/json']
    const harmless = [undefined, undefined, undefined, 'text/plain', 'application/json']
    expect(seen).to.deep.equal([all, all, harmless])
  })

  it('reads no more than it was told to, of however much there is', async () => {
    let sent = 0
    const chunk = Buffer.alloc(64 * 1024, 'x')
    answer = (_, response) => {
      const more = () => {
        while (!response.destroyed && sent < 1_000_000_000 && response.write(chunk)) sent += chunk.length
      }
      response.on('drain', more)
      more()
    }
    expect((await failure(at('127.0.0.2'))).message).to.equal('the answer is longer than 1000 bytes')
    expect((await ask(at('127.0.0.2'), { tooLong: 'cut' })).body).to.have.length(1_000)
    expect(sent, 'bytes that the server got rid of').to.be.below(50_000_000)
  })

  it('undoes no compression', async () => {
    const bomb = gzipSync(Buffer.alloc(500_000))
    answer = (request, response) => {
      expect(request.headers['accept-encoding']).to.equal('identity')
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
    }
    expect((await ask(at('127.0.0.2'))).body.equals(bomb)).to.equal(true)
  })

  it('waits no longer than it was told to, for headers, a body in drops, or a connection', async () => {
    const drops = (_: IncomingMessage, response: ServerResponse) => {
      const timer = setInterval(() => response.write('.'), 50)
      response.on('close', () => clearInterval(timer))
    }
    for (const hanging of [() => undefined, drops]) {
      answer = hanging
      const since = Date.now()
      expect((await failure(at('127.0.0.2'), { timeoutMs: 400 })).message).to.equal(
        'no whole answer within 0.4 s',
      )
      expect(Date.now() - since).to.be.below(1_500)
    }
  })

  it('takes endless headers, upgrades and cut answers for failures', async () => {
    answer = (_, response) => void response.writeHead(200, { 'x-long': 'x'.repeat(20_000) }).end()
    expect((await failure(at('127.0.0.2'))).message).to.match(/Header overflow/)
    answer = (request) =>
      request.socket.end('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n')
    await failure(at('127.0.0.2'))
    answer = (request) => request.socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc')
    await failure(at('127.0.0.2'))
    answer = (request) => request.socket.end('SSH-2.0-OpenSSH_9\r\n')
    await failure(at('127.0.0.2'))
  })

  it('checks certificates, whatever the environment says', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'jackfield-certificate-'))
    const { certificate, key } = await selfSigned(directory)
    const server = createTlsServer({ cert: await readFile(certificate), key: await readFile(key) }, () => {
      throw new Error('a request came through')
    })
    server.listen(0, '127.0.0.2')
    await once(server, 'listening')
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
    try {
      const { port } = server.address() as AddressInfo
      expect((await failure(`https://127.0.0.2:${port}/`)).message).to.match(/self-signed certificate/)
    } finally {
      delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']
      server.close()
      await rm(directory, { recursive: true })
    }
  })

  it('asks no proxy of the environment', async () => {
    const names = ['http_proxy', 'HTTP_PROXY', 'NODE_USE_ENV_PROXY']
    for (const name of names) process.env[name] = name.startsWith('NODE') ? '1' : at('127.0.0.1')
    try {
      expect((await ask(at('127.0.0.2'))).body.toString()).to.equal('hello')
    } finally {
      for (const name of names) delete process.env[name]
    }
  })

  describe('with servers that accept and never answer', () => {
    let silent: Server[]
    let held: Promise<unknown>[]
    let slow: GuardedClient
    let connections = 0

    beforeEach(async () => {
      held = []
      connections = 0
      slow = new GuardedClient({ allowed_networks: networks('127.0.0.2/32'), dns_servers: [] })
      silent = Array.from({ length: 4 }, () => createServer(() => undefined))
      for (const server of silent) {
        server.on('connection', () => (connections += 1))
        await once(server.listen(0, '127.0.0.2'), 'listening')
      }
    })
    afterEach(async () => {
      slow.close()
      for (const server of silent) {
        server.closeAllConnections()
        await new Promise((done) => server.close(done))
      }
      await Promise.all(held)
    })

    const request = async (owner: string, url: string, live: boolean, timeoutMs = 20_000) =>
      slow.request({
        ...{ method: 'GET', url, owner, live, timeoutMs, maxResponseBytes: 1_000, tooLong: 'fail' },
      })
    /** So many requests of each of so many workspaces, each to several silent servers. */
    const hold = (owners: number, live: boolean, ofEach = 100) => {
      for (let owner = 0; owner < owners; owner++)
        for (let index = 0; index < ofEach; index++) {
          const url = `http://127.0.0.2:${portOf(silent[index % silent.length]!)}/`
          held.push(request(`ws_slow_${owner}`, url, live).catch(() => undefined))
        }
    }
    const settled = async () => {
      let before = -1
      await eventually(
        async () => {
          const same = connections === before && connections > 0
          before = connections
          return Promise.resolve(same)
        },
        (same) => same,
      )
    }

    it('answers a fourth workspace at once while three hold all the connections they may', async () => {
      hold(3, true)
      await settled()
      const { body } = await request('ws_fourth', at('127.0.0.2'), true, 3_000)
      expect(String(body)).to.equal('hello')
    })

    it('answers a newcomer however many workspaces hold connections', async () => {
      hold(30, true, 40)
      await settled()
      expect((await request('ws_new', at('127.0.0.2'), true, 3_000)).status).to.equal(200)
      expect(connections, 'bounded').to.be.at.most(1_025)
    })

    it('has connections for live calls that webhooks and files never take', async () => {
      hold(30, false, 40)
      await settled()
      expect((await request('ws_slow_0', at('127.0.0.2'), true, 3_000)).status).to.equal(200)
      expect(connections, 'bounded').to.be.at.most(513)
    })
  })

  it('holds no more than fifty connections to one host; the others wait their turn', async () => {
    const waiting: ServerResponse[] = []
    answer = (_, response) => void waiting.push(response)
    const asked = Array.from({ length: 60 }, async () => ask(at('127.0.0.2'), { timeoutMs: 10_000 }))
    await eventually(
      async () => waiting.length,
      (count) => count >= 50,
    )
    await sleep(200)
    expect(waiting).to.have.length(50)
    answer = (_, response) => response.end('late')
    for (const response of waiting) response.end('soon')
    const bodies = (await Promise.all(asked)).map(({ body }) => body.toString())
    expect(bodies.filter((body) => body === 'late')).to.have.length(10)
  })
})

/** What everybody is answered, with no credentials: however much is asked for, and however little of it is read. */
import { readFileSync, readdirSync } from 'node:fs'
import { type Socket, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { ApiClient, eventually } from '../support/api-client.js'
import { Appliance } from '../support/appliance.js'
import { EdgeRpc } from './edge-rpc.js'

const bundle = '/api/v1/docs/swagger-ui-bundle.js'

describe('strangers on the HTTP port', function () {
  this.timeout(90_000)
  let appliance: Appliance
  let edge: EdgeRpc
  let sockets: Socket[]

  before(async () => {
    edge = await EdgeRpc.start()
    const settings = {
      ...edge.settings,
      ...{ JACKFIELD_RATE_LIMITS_PAGES: '2000', JACKFIELD_HTTP_TRUSTED_PROXIES: '127.0.0.0/8' },
    }
    appliance = await Appliance.start({ switch: 'sandbox', settings })
  })
  beforeEach(() => {
    edge.manner = 'answers'
    sockets = []
  })
  afterEach(async () => {
    for (const socket of sockets) socket.destroy()
    await eventually(
      async () => asked('/health'),
      (status) => status === 200,
    )
  })
  after(async () => {
    await appliance?.stop()
    await edge?.stop()
  })

  let clients = 0
  /** Of somebody who has asked for nothing yet, behind a proxy of ours. */
  const newAddress = () => `198.18.${(clients += 1) >> 8}.${clients & 255}`
  const get = (path: string, from: string) =>
    `GET ${path} HTTP/1.1\r\nHost: x\r\nAccept: text/html\r\nX-Forwarded-For: ${from}\r\n\r\n`
  const asked = async (path: string, from = newAddress()) =>
    fetch(`http://127.0.0.1:${appliance.port}${path}`, { headers: { 'x-forwarded-for': from } }).then(
      async (response) => {
        await response.arrayBuffer()
        return response.status
      },
    )
  /** Asks on one connection for so many answers at once. */
  const asks = (path: string, times: number, from = newAddress()) => {
    const socket = connect(appliance.port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write(get(path, from).repeat(times))
    sockets.push(socket)
    return socket
  }
  const process = (file: string) => `/proc/${appliance.serverPid}/${file}`
  const openFiles = () => readdirSync(process('fd')).length
  const megabytes = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(process('status'), 'utf8'))?.[1]) / 1024

  it('who ask and read nothing cost an answer a connection, not one for each request', async () => {
    await asked(bundle)
    await asked('/')
    const before = { files: openFiles(), megabytes: megabytes() }
    for (let connection = 0; connection < 8; connection++) {
      for (const path of [bundle, '/index.html', '/api/v1/openapi.json']) asks(path, 60).pause()
    }
    let files = 0
    for (let look = 0; look < 40; look++) {
      files = Math.max(files, openFiles())
      await sleep(100)
    }
    expect(files - before.files, 'open files').to.be.below(24 + 20)
    expect(megabytes() - before.megabytes, 'megabytes').to.be.below(100)
    expect(await asked('/health')).to.equal(200)
  })

  it('are answered one after the other, in their order, and not at all when they ask too much at once', async () => {
    const text = async (socket: Socket, until: RegExp) => {
      let seen = ''
      socket.on('data', (chunk: Buffer) => (seen += chunk.toString('latin1')))
      await eventually(
        async () => Promise.resolve(seen),
        (all) => until.test(all) || socket.destroyed,
      )
      return seen
    }
    const from = newAddress()
    const socket = connect(appliance.port, '127.0.0.1')
    sockets.push(socket)
    socket.write(['/health', '/nothing.js', '/health/live'].map((path) => get(path, from)).join(''))
    const answers = await text(socket, /\{"status":"ok"\}$/)
    expect(answers.match(/HTTP\/1\.1 \d+/g)).to.deep.equal(['HTTP/1.1 200', 'HTTP/1.1 404', 'HTTP/1.1 200'])
    const tooMany = asks('/health/live', 200)
    const many = await text(tooMany, /(HTTP[^]*){200}/)
    expect(tooMany.destroyed).to.equal(true)
    expect(many.match(/HTTP/g) ?? []).to.have.length.below(2)
  })

  it('do not make the parts tell how they are more than once a second', async () => {
    await sleep(1_000)
    const before = edge.uptimes
    const statuses = await Promise.all(Array.from({ length: 300 }, async () => asked('/health')))
    expect(new Set(statuses)).to.deep.equal(new Set([200]))
    expect(edge.uptimes - before).to.be.within(1, 3)
  })

  it('are told in time of a part that does not answer', async () => {
    edge.isHung = true
    try {
      await sleep(1_100)
      const since = Date.now()
      const response = await fetch(`http://127.0.0.1:${appliance.port}/health`)
      expect(response.status).to.equal(503)
      expect(await response.json()).to.have.nested.property('parts.edge', 'down')
      expect(Date.now() - since).to.be.below(4_000)
    } finally {
      edge.isHung = false
    }
  })

  it('are counted by their source, which hurts no other and no key', async () => {
    const from = newAddress()
    const statuses = []
    // Each minute is counted for itself.
    const left = 60_000 - (Date.now() % 60_000)
    if (left < 20_000) await sleep(left)
    for (let batch = 0; batch < 11; batch++)
      statuses.push(
        ...(await Promise.all(Array.from({ length: 200 }, async () => asked('/health/live', from)))),
      )
    expect(statuses.filter((status) => status === 200)).to.have.length(2_000)
    expect(statuses.filter((status) => status === 429)).to.have.length(200)
    for (const path of ['/nowhere', '/api/v1/openapi.json', '/api/v1/docs'])
      expect(await asked(path, from), path).to.equal(429)
    const operator = { authorization: `${appliance.operator.authorization}`, host: 'admin.localhost' }
    const api = new ApiClient(appliance.port, operator.host, operator.authorization)
    const headers = { 'x-forwarded-for': from }
    expect((await api.request('GET', '/workspaces', { headers })).status).to.equal(200)
    expect(await asked('/health/live')).to.equal(200)
  })

  it('who are refused a WebSocket are let go of, also when they do not close', async () => {
    const before = openFiles()
    const upgrade = 'GET /nowhere HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'
    const open = Array.from({ length: 20 }, () => {
      const socket = connect({ port: appliance.port, host: '127.0.0.1', allowHalfOpen: true })
      socket.resume().write(upgrade)
      sockets.push(socket)
      return socket
    })
    await Promise.all(open.map(async (socket) => new Promise((ended) => socket.once('end', ended))))
    await eventually(
      async () => Promise.resolve(openFiles()),
      (files) => files < before + 10,
      { withinMs: 15_000, what: 'connections that were refused' },
    )
  })
})

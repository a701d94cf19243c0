/** What comes over the Event Socket, to both of its ends: the server from a switch, and a switch from strangers. */
import { once } from 'node:events'
import { type Server, type Socket, connect, createServer } from 'node:net'
import { expect } from 'chai'
import fc from 'fast-check'
import { pino } from 'pino'
import { SwitchLink } from '../../src/adapters/freeswitch/switch-link.js'
import { eventually } from '../support/api-client.js'
import { type Freeswitch, findFreeswitch, startFreeswitch } from '../support/freeswitch.js'
import { TestClient } from '../sandbox/event-socket-client.js'
import { bytes, fuzz, fuzzTimeoutMs, line, mutated, text } from './fuzzing.js'

const frame = (type: string, body: string) =>
  `Content-Length: ${Buffer.byteLength(body)}\nContent-Type: ${type}\n\n${body}`

const event = fc
  .record({
    name: fc.constantFrom(
      'CHANNEL_PARK',
      'CHANNEL_ANSWER',
      'DTMF',
      'CHANNEL_HANGUP_COMPLETE',
      'CHANNEL_BRIDGE',
      'X',
    ),
    headers: fc.dictionary(
      fc.constantFrom(
        ...[
          'Unique-ID',
          'Caller-Caller-ID-Name',
          'variable_sip_from_user',
          'DTMF-Digit',
          'Event-Date-Timestamp',
        ],
        ...['Content-Length', 'Job-UUID', '__proto__', 'Application-UUID', 'variable_sip_call_id', '_body'],
      ),
      fc.oneof(text, fc.jsonValue({ maxDepth: 1 })),
    ),
  })
  .map(({ name, headers }) => frame('text/event-json', JSON.stringify({ 'Event-Name': name, ...headers })))

const reply = fc
  .tuple(fc.constantFrom('command/reply', 'api/response', 'text/disconnect-notice', 'log/data', 'x'), line)
  .map(([type, said]) => `Content-Type: ${type}\nReply-Text: ${said}\n\n`)

describe('the Event Socket', function () {
  this.timeout(fuzzTimeoutMs)

  describe('from a switch that says anything', () => {
    let server: Server
    let link: SwitchLink
    let peer: Socket | undefined
    let connections = 0

    before(async () => {
      server = createServer((socket) => {
        peer = socket
        connections++
        socket.on('error', () => undefined)
        socket.on('data', () => socket.write('Content-Type: command/reply\nReply-Text: +OK\n\n'))
        socket.write('Content-Type: auth/request\n\n')
      }).listen(0, '127.0.0.1')
      await once(server, 'listening')
      const { port } = server.address() as { port: number }
      link = new SwitchLink({ host: '127.0.0.1', port, password: 'x' }, pino({ level: 'silent' }))
      link.start()
    })
    after(async () => {
      await link?.stop()
      peer?.destroy()
      server?.close()
    })

    it('ends or keeps the link, and another one is made', async () => {
      await fuzz(fc.oneof(event, mutated(event), reply, mutated(reply), bytes), async (data) => {
        const connected = await eventually(
          async () => (peer?.destroyed === false ? peer : undefined),
          (socket) => socket !== undefined,
          { withinMs: 20_000, everyMs: 2, what: 'a link' },
        )
        await new Promise<void>((done) => connected?.write(data, () => done()))
      })
      expect(connections).to.be.greaterThan(0)
    })
  })

  describe('of a FreeSWITCH that strangers find', () => {
    let freeswitch: Freeswitch

    before(async function () {
      if (!(await findFreeswitch())) this.skip()
      freeswitch = await startFreeswitch()
    })
    after(async () => freeswitch?.stop())

    it('lets nobody in, and serves the server as before', async () => {
      const command = fc
        .tuple(
          fc.constantFrom('auth', 'api', 'bgapi', 'sendevent', 'connect', 'userauth', 'sendmsg', 'exit'),
          line,
        )
        .map((words) => `${words.join(' ')}\n\n`)
      const sent = fc.array(fc.oneof(mutated(command), command), { minLength: 1, maxLength: 5 })
      await fuzz(
        fc.oneof(
          bytes,
          sent.map((lines) => Buffer.from(lines.join(''))),
        ),
        async (data) => {
          const socket = connect(freeswitch.port, '127.0.0.1')
          socket.on('error', () => undefined)
          let said = ''
          socket.on('data', (chunk) => (said += chunk.toString('latin1')))
          await once(socket, 'connect')
          await new Promise<void>((done) => socket.write(data, () => done()))
          socket.destroy()
          expect(said).not.to.include('+OK accepted')
        },
      )
      const client = await TestClient.open(freeswitch.port, freeswitch.password, '')
      expect(await client.api('status')).to.include('UP')
      client.socket.destroy()
    })
  })
})

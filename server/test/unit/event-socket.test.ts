/** What one connection to the Event Socket writes, and what it makes of what comes. */
import { once } from 'node:events'
import { type AddressInfo, type Server, type Socket, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { EventSocket } from '../../src/adapters/freeswitch/event-socket.js'
import type { SwitchEvent } from '../../src/adapters/freeswitch/switch-event.js'
import { eventually } from '../support/api-client.js'

describe('a connection to the Event Socket', () => {
  let server: Server
  let peer: Socket
  let socket: EventSocket
  let written: string[]
  let events: SwitchEvent[]
  let isAwaited: boolean
  let failure: unknown

  /** A switch that lets anybody in, and answers nothing else. */
  beforeEach(async () => {
    ;[written, events, isAwaited, failure] = [[], [], false, undefined]
    server = createServer((accepted) => {
      peer = accepted
      accepted.write('Content-Type: auth/request\n\n')
      accepted.on('data', (chunk) => {
        const text = chunk.toString()
        if (text.startsWith('auth ')) reply('+OK accepted')
        else if (text.startsWith('event json BACKGROUND_JOB CHANNEL_EXECUTE_COMPLETE')) reply('+OK event')
        else written.push(text)
      })
      accepted.on('error', () => undefined)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    socket = await EventSocket.open(
      { host: '127.0.0.1', port, password: 'secret' },
      {
        onEvent: (event) => events.push(event),
        onClose: (error) => (failure = error),
        isAwaited: () => isAwaited,
      },
    )
    await sleep(20)
  })
  afterEach(() => {
    socket.close()
    server.close()
  })

  const reply = (text: string) => peer.write(`Content-Type: command/reply\nReply-Text: ${text}\n\n`)
  const answer = (body: string) =>
    peer.write(`Content-Type: api/response\nContent-Length: ${Buffer.byteLength(body)}\n\n${body}`)
  const happen = (headers: object) => {
    const body = JSON.stringify(headers)
    peer.write(`Content-Length: ${Buffer.byteLength(body)}\nContent-Type: text/event-json\n\n${body}`)
  }
  const lineFeeds = () => written.filter((text) => /^\n+$/.test(text)).join('').length

  it('sends the commands of one moment in one piece, and takes replies in their order', async () => {
    const asked = [
      socket.api('uuid_exists 1', 1_000),
      socket.command(['sendmsg 1', 'call-command: execute'], 1_000),
      socket.api('uuid_kill 2', 1_000).catch((error: unknown) => (error as Error).message),
    ]
    await eventually(
      async () => written,
      (pieces) => pieces.length > 0,
    )
    expect(written).to.deep.equal([
      'api uuid_exists 1\n\nsendmsg 1\ncall-command: execute\n\napi uuid_kill 2\n\n',
    ])
    answer('true')
    happen({ 'Event-Name': 'HEARTBEAT' })
    reply('+OK')
    answer('-ERR No such channel!')
    expect(await Promise.all(asked)).to.deep.equal(['true', '+OK', 'No such channel!'])
    expect(events.map(({ name }) => name)).to.deep.equal(['HEARTBEAT'])
  })

  it('reads events as they are, with their bodies', async () => {
    happen({ 'Event-Name': 'DTMF', 'Unique-ID': '7', variable_name: 'Zoë: 100 %', _body: 'text\n' })
    const [event] = await eventually(
      async () => events,
      (all) => all.length > 0,
    )
    expect(event?.name).to.equal('DTMF')
    expect(event?.channelId).to.equal('7')
    expect(event?.variable('name')).to.equal('Zoë: 100 %')
    expect(event?.body).to.equal('text\n')
    expect(event?.get('Other')).to.equal(undefined)
  })

  it('ends with an event that is none', async () => {
    peer.write('Content-Length: 5\nContent-Type: text/event-json\n\n{"a":')
    await eventually(
      async () => failure,
      (error) => error instanceof SyntaxError,
    )
  })

  it('has the switch send at once only while an event is awaited', async () => {
    happen({ 'Event-Name': 'CHANNEL_PARK' })
    await sleep(60)
    expect(lineFeeds()).to.equal(0)
    isAwaited = true
    void socket.api('uuid_answer 1', 1_000).catch(() => undefined)
    await eventually(
      async () => lineFeeds(),
      (count) => count >= 5,
    )
    isAwaited = false
    await sleep(30)
    const before = lineFeeds()
    await sleep(60)
    expect(lineFeeds()).to.equal(before)
  })
})

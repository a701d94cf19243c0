/** Torture messages, one each; after each one the edge answers OPTIONS as before. */
import { randomBytes } from 'node:crypto'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { connect } from 'node:net'
import { expect } from 'chai'
import { EdgeWorld } from './accounts.js'
import { ask, sipRequest } from './calls.js'
import { type TortureMessage, tortureMessages } from './torture-messages.js'

/** Within this an answer comes, if any does, in milliseconds. */
const silenceMs = 250

describe('edge: torture messages', function () {
  this.timeout(60_000)
  let world: EdgeWorld
  let stranger: Socket

  before(async () => {
    world = await EdgeWorld.start()
  })
  after(async () => world?.stop())

  const edge = () => ({ host: world.edge.options.sipHost, port: world.edge.options.sipPort })

  /** Sends one from an address of its own, and returns the final status. */
  const answer = async ({ lines, body = '', behind = '', expected }: TortureMessage, host: string) => {
    stranger = createSocket('udp4')
    stranger.bind(0, host)
    await once(stranger, 'listening')
    const via = `${host}:${stranger.address().port}`
    const text = [...lines, '', body].join('\r\n')
    const unique = text.replaceAll('@VIA@', via).replaceAll('@@', randomBytes(6).toString('hex'))
    try {
      return await new Promise<number | null>((resolve) => {
        const timer = setTimeout(() => resolve(null), expected === null ? silenceMs : 1_500)
        stranger.on('message', (data) => {
          const status = Number(/^SIP\/2\.0 (\d{3})/.exec(data.toString())?.[1])
          if (!(status >= 200)) return
          clearTimeout(timer)
          resolve(status)
        })
        stranger.send(unique + behind, edge().port, edge().host)
      })
    } finally {
      stranger.close()
    }
  }

  for (const [index, message] of tortureMessages.entries()) {
    const expected = [message.expected].flat()
    it(`${message.name}: ${expected.map((status) => status ?? 'silence').join(' or ')}`, async () => {
      const host = `127.6.${index >> 7}.${(index & 127) + 1}`
      expect(await answer(message, host)).to.be.oneOf(expected)
      // another one by and by, that none asks too often
      const asker = `127.6.${9 + (index >> 5)}.1`
      const after = await ask(sipRequest('OPTIONS', 'sip:127.0.0.1', asker), edge(), asker)
      expect(after).to.match(/^SIP\/2\.0 200 /)
    })
  }

  for (const [what, [part, put], status] of [
    ['that lacks To', ['To: <sip:user@example.com>\r\n', ''], 400],
    [
      'that has a space in its request URI',
      ['sip:user@example.com SIP', 'sip:user@example.com; lr SIP'],
      400,
    ],
    ['with a folded CSeq', ['CSeq: 1 OPTIONS', 'CSeq: 1\r\n OPTIONS'], 200],
  ] as const) {
    it(`a request over TCP ${what}: ${status}`, async () => {
      const connection = connect({ ...edge(), localAddress: '127.6.20.1' })
      try {
        connection.write(
          [
            'OPTIONS sip:user@example.com SIP/2.0',
            'Via: SIP/2.0/TCP 127.6.20.1:5060;branch=z9hG4bK1',
            'From: <sip:caller@example.net>;tag=1',
            'To: <sip:user@example.com>',
            `Call-ID: ${randomBytes(6).toString('hex')}`,
            ...['CSeq: 1 OPTIONS', 'Content-Length: 0', '', ''],
          ]
            .join('\r\n')
            .replace(part, put),
        )
        const [data] = (await once(connection, 'data', { signal: AbortSignal.timeout(5_000) })) as [Buffer]
        expect(data.toString()).to.match(new RegExp(`^SIP/2\\.0 ${status} `))
      } finally {
        connection.destroy()
      }
    })
  }
})

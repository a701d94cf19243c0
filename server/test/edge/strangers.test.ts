/** What strangers leave in Kamailio: little memory, few lines, and soon they are not heard. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { SipPhone } from '../support/sip-phone.js'
import type { Transport } from '../support/sip-link.js'
import { type Account, EdgeWorld } from './accounts.js'

describe('edge: strangers', function () {
  this.timeout(60_000)
  let world: EdgeWorld
  const ends: SipPhone[] = []
  before(async () => {
    world = await EdgeWorld.start()
  })
  afterEach(() => {
    for (const end of ends.splice(0)) end.close()
  })
  after(async () => world?.stop())

  const open = async (options: Parameters<typeof SipPhone.open>[1]): Promise<SipPhone> => {
    const end = await SipPhone.open(world.edge.options, options)
    ends.push(end)
    return end
  }
  const usedMemory = async (): Promise<number> => {
    const { real_used } = (await world.edge.rpc('core.shmmem')) as { real_used: number }
    return real_used
  }
  const sizes = async (): Promise<Record<string, number>> => {
    const tables = (await world.edge.rpc('htable.stats')) as { name: string; all: number }[]
    return Object.fromEntries(tables.map(({ name, all }) => [name, all]))
  }
  const acme = (username: string) => ({
    username,
    domain: `acme.${world.edge.options.sipDomain}`,
    password: 'x',
  })
  let host = 150
  const newHost = () => `127.0.0.${host++}`

  for (const transport of ['tcp', 'udp', 'ws'] as const satisfies Transport[]) {
    for (const [what, domainOf] of [
      ['usernames', (name: string, domain: string) => [name, domain]],
      ['domains', (name: string, domain: string) => ['anna', `${name}.${domain}`]],
      ['short usernames', (name: string, domain: string) => [name.slice(0, 20), domain]],
    ] as const) {
      it(`fill no memory over ${transport} by 200 REGISTERs with ${what} of their own, and are silenced`, async () => {
        const address = newHost()
        const end = await open({ ...acme('x'), transport, host: address })
        const before = [await usedMemory(), await sizes()] as const
        const answers: number[] = []
        end.link.onMessage((text) => answers.push(Number(text.slice(8, 11))))
        for (let index = 0; index < 200; index++) {
          const name = `u${String(index).padStart(6, '0')}${'a'.repeat(7_600)}`
          const [user, domain] = domainOf(
            name,
            what === 'domains' ? world.edge.options.sipDomain : acme('').domain,
          )
          const lines = [
            ...[
              `REGISTER sip:${acme('').domain} SIP/2.0`,
              `Via: SIP/2.0/${transport.toUpperCase()} ${address}:${end.link.port};branch=z9hG4bK${index};rport`,
            ],
            ...['Max-Forwards: 70', `From: <sip:${user}@${domain}>;tag=1`, `To: <sip:${user}@${domain}>`],
            ...[
              `Call-ID: ${index}@x`,
              `CSeq: 1 REGISTER`,
              `Contact: <sip:x@${address}>`,
              'Content-Length: 0',
              '',
              '',
            ],
          ]
          end.link.send(lines.join('\r\n'))
          await sleep(10)
        }
        await sleep(300)
        expect(answers.length).to.be.within(15, 100)
        const grown = (await usedMemory()) - before[0]
        expect(grown, JSON.stringify(await sizes())).to.be.below(transport === 'udp' ? 60_000 : 300_000)
        const tables = await sizes()
        expect(tables['banned']! - before[1]['banned']!).to.equal(1)
        expect(tables['unanswered']! - before[1]['unanswered']!).to.be.below(100)
      })
    }
  }

  it('do not count where phones of one address prove who they are', async () => {
    const address = newHost()
    for (let index = 0; index < 90; index++) {
      const account: Account = await world.account()
      const phone = await open({ ...account, host: address })
      expect((await phone.register()).status, String(index)).to.equal(200)
    }
  })

  it('write few lines into the log, however much they send that is no SIP', async () => {
    const before = world.edge.log.length
    const socket = createSocket('udp4')
    socket.bind(0, newHost())
    await once(socket, 'listening')
    const { sipHost, sipPort } = world.edge.options
    const rubbish = [
      'x'.repeat(8_000),
      `INVITE sip:a@b SIP/2.0\r\n${'y'.repeat(6_000)}\r\n\r\n`,
      `REGISTER sip:${acme('').domain} SIP/2.0\r\nVia: ${'z'.repeat(5_000)}\r\n\r\n`,
      'INVITE sip:a@b SIP/2.0\r\nVia: SIP/2.0/UDP x;branch=z9hG4bKa\r\nFrom: \r\nTo: \r\nCSeq: x\r\nCall-ID: 1\r\n\r\n',
      `SIP/2.0 200 ${'q'.repeat(6_000)}\r\n\r\n`,
      `OPTIONS sip:${'%'.repeat(3_000)} SIP/2.0\r\nVia: SIP/2.0/UDP 1.2.3.4;branch=z9hG4bKb\r\nFrom: <sip:x>;tag=1\r\nTo: <sip:y>\r\nCall-ID: a\r\nCSeq: 1 OPTIONS\r\nContent-Length: 99999\r\n\r\n`,
    ]
    for (let round = 0; round < 50; round++) for (const text of rubbish) socket.send(text, sipPort, sipHost)
    await sleep(1_000)
    socket.close()
    expect(world.edge.log.slice(before).length, world.edge.log.slice(before, before + 3_000)).to.be.below(
      3_000,
    )
  })
})

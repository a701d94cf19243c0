/** Connections: those of strangers are closed soon, and those that a phone or a call needs stay. */
import { expect } from 'chai'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type Socket, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../support/api-client.js'
import { SipDialog } from '../support/sip-dialog.js'
import type { Transport } from '../support/sip-link.js'
import { SipPhone } from '../support/sip-phone.js'
import { Carrier } from '../support/sipp.js'
import { selfSigned } from '../support/tls-relay.js'
import type { Account } from './accounts.js'
import { TrunkWorld } from './trunks.js'

/** What the edge holds at the most (core.cfg). */
const places = 4096
const streams = ['tcp', 'tls', 'ws', 'wss'] as const

/** A stranger that says nothing, or too little. */
async function idle(localAddress: string, port: number, said: string | Buffer): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port, localAddress })
  socket.on('error', () => undefined).resume()
  await once(socket, 'connect').catch(() => undefined)
  if (said.length > 0) socket.write(said)
  return socket
}

describe('edge: connections', function () {
  this.timeout(150_000)
  let directory: string
  let trunk: TrunkWorld
  let carrier: Carrier
  const phones: SipPhone[] = []
  const strangers: Socket[] = []

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'jackfield-connections-'))
    carrier = await Carrier.start({ transport: 'tls', tls: await selfSigned(directory) })
    trunk = await TrunkWorld.start({ tlsVerify: false })
  })
  after(async () => {
    for (const socket of strangers) socket.destroy()
    for (const phone of phones) phone?.close()
    await trunk?.stop()
    await carrier?.stop()
    await rm(directory, { recursive: true, force: true })
  })

  const registered = async (transport: Transport): Promise<{ account: Account; phone: SipPhone }> => {
    const account = await trunk.world.account()
    const phone = await SipPhone.open(trunk.world.edge.options, { ...account, transport })
    phones.push(phone)
    expect((await phone.register()).status).to.equal(200)
    return { account, phone }
  }
  const ring = async ({ username, domain }: Account): Promise<number> => {
    const uri = `sip:${username}@${domain}`
    const extra = ['X-Edge-Destination: account']
    return (await trunk.fabric.request('INVITE', uri, { to: uri, extra })).status
  }

  it('of strangers make room within half a minute, and those of phones and calls stay', async () => {
    const { sipPort, tlsPort, wsPort, wssPort } = trunk.world.edge.options
    const known = await Promise.all(streams.map(registered))
    const caller = await trunk.open(trunk.carrierHost, 'tcp')
    const inward = SipDialog.calling(caller, await trunk.call(caller))
    await inward.acknowledge()
    const outward = SipDialog.calling(
      trunk.fabric,
      await trunk.fabric.request('INVITE', carrier.uri('+12025550100'), { to: carrier.uri('+12025550100') }),
    )
    await outward.acknowledge()
    expect(carrier.connections).to.equal(1)

    const inClear = ['', '\r\n\r\n', 'REGISTER sip:x SIP/2.0\r\n', 'GET / HTTP/1.1\r\n']
    const halfHello = Buffer.from('16030100c8010000c40303', 'hex')
    for (let count = 0; count < places; count++) {
      const [port, said] = [
        [sipPort, inClear[(count >> 2) % inClear.length]],
        [wsPort, inClear[(count >> 2) % inClear.length]],
        [tlsPort, (count >> 2) % 2 ? halfHello : ''],
        [wssPort, (count >> 2) % 2 ? halfHello : ''],
      ][count % 4] as [number, string | Buffer]
      strangers.push(await idle(`127.0.1.${1 + (count % 8)}`, port, said))
    }
    const full = Date.now()
    const late = async (): Promise<boolean> =>
      registered('tcp').then(
        () => true,
        () => false,
      )
    expect(await late(), 'a phone, while all places are taken').to.equal(false)
    while (!(await late())) {
      expect(Date.now() - full).to.be.below(60_000)
      await sleep(500)
    }
    await eventually(
      async () =>
        Promise.resolve(strangers.filter(({ destroyed, readableEnded }) => !destroyed && !readableEnded)),
      ({ length }) => length === 0,
      { withinMs: 45_000, what: 'the strangers’ end' },
    )

    for (const { account, phone } of known) expect(await ring(account), phone.options.transport).to.equal(200)
    expect((await inward.request('INFO')).status).to.equal(200)
    expect(
      (await SipDialog.called(trunk.fabric, trunk.fabric.requests[0] ?? '').request('BYE')).status,
    ).to.equal(200)
    expect(caller.requests.some((text) => text.startsWith('BYE '))).to.equal(true)
    expect((await outward.request('BYE')).status).to.equal(200)
    expect(carrier.connections).to.equal(1)
  })
})

/** Far ends that the switch asks whether they are there, by an INFO without a body: the server is told which are gone. */
import { once } from 'node:events'
import { expect } from 'chai'
import { pino } from 'pino'
import { EdgeClient } from '../../src/adapters/kamailio/edge-client.js'
import { EdgeEvents } from '../../src/adapters/kamailio/edge-events.js'
import { eventually } from '../support/api-client.js'
import { SipDialog } from '../support/sip-dialog.js'
import type { Transport } from '../support/sip-link.js'
import { header } from '../support/sip-message.js'
import { SipPhone } from '../support/sip-phone.js'
import { EdgeWorld } from './accounts.js'

describe('edge: far ends that are asked whether they are there', function () {
  this.timeout(30_000)
  let world: EdgeWorld
  let fabric: SipPhone
  let events: EdgeEvents
  const gone: string[] = []
  const phones: SipPhone[] = []

  before(async () => {
    world = await EdgeWorld.start()
    fabric = await SipPhone.asSwitch(world.edge.options)
    const { rpcHost, rpcPort, rpcSecret } = world.edge.options
    const client = new EdgeClient(`http://${rpcHost}:${rpcPort}/RPC`, rpcSecret)
    events = new EdgeEvents([client], pino({ level: 'silent' }))
    events.on('gone', (callId) => gone.push(callId))
    const connected = once(events, 'connected')
    events.start()
    await connected
  })
  after(async () => {
    events?.stop()
    for (const phone of phones) phone.close()
    fabric?.close()
    await world?.stop()
  })

  /** A call of the switch to a phone that has answered it. */
  const talk = async (transport: Transport) => {
    const account = await world.account()
    const phone = await SipPhone.open(world.edge.options, { ...account, transport })
    phones.push(phone)
    expect((await phone.register()).status).to.equal(200)
    const to = `sip:${account.username}@${account.domain}`
    const answer = await fabric.request('INVITE', to, { to, extra: ['X-Edge-Destination: account'] })
    expect(answer.status).to.equal(200)
    const dialog = SipDialog.calling(fabric, answer)
    await dialog.acknowledge()
    return { phone, dialog, callId: header(answer, 'Call-ID')! }
  }
  const untilGone = async (wanted: string) =>
    eventually(
      async () => gone.includes(wanted),
      (isGone) => isGone,
      { what: 'word of a far end that is gone', withinMs: 14_000 },
    )

  it('are there when they answer, whatever that is, and gone when they know no such call', async () => {
    const { phone, dialog, callId } = await talk('udp')
    for (const status of [200, 405, 500]) {
      phone.answerTo = (request) => phone.reply(request, status, 'Answer')
      expect((await dialog.request('INFO')).status).to.equal(200)
    }
    expect(gone).not.to.include(callId)
    phone.answerTo = (request) => phone.reply(request, 481, 'No such call')
    expect((await dialog.request('INFO')).status).to.equal(481)
    await untilGone(callId)
  })

  for (const transport of ['tcp', 'tls', 'ws', 'wss'] as const) {
    it(`are gone when their ${transport} connection is lost`, async () => {
      const { phone, dialog, callId } = await talk(transport)
      expect((await dialog.request('INFO')).status).to.equal(200)
      phone.close()
      // One that could be connected to is waited for.
      void dialog.request('INFO').catch(() => undefined)
      await untilGone(callId)
    })
  }
})

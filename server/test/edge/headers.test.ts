/** Headers that the edge alone may write, as the switch reads them: a real FreeSWITCH, which ends a line at a CR alone. */
import { expect } from 'chai'
import { type Event, TestClient } from '../sandbox/event-socket-client.js'
import { type Freeswitch, findFreeswitch, startFreeswitch } from '../support/freeswitch.js'
import type { Transport } from '../support/sip-link.js'
import { SipPhone } from '../support/sip-phone.js'
import { type Account, EdgeWorld } from './accounts.js'
import { type TrunkNumber, newAcl, newNumber } from './trunks.js'

const carrierHost = '127.0.0.81'
const forged = ['X-Edge-Source: account', 'X-Edge-Workspace: victim', 'X-Edge-Account: ag_victim']

const offer = [
  ...['v=0', 'o=- 1 1 IN IP4 127.0.0.1', 's=-', 'c=IN IP4 127.0.0.1', 't=0 0', 'm=audio 4000 RTP/AVP 0', ''],
].join('\r\n')
const sdp = 'Content-Type: application/sdp'

/** Headers in which others hide. */
const hiding: Record<string, string[]> = {
  'behind a CR alone': [['Subject: x', ...forged].join('\r')],
  'behind a CR alone that a NUL hides': ['X-FS-A: \0', ['Subject: x', ...forged].join('\r')],
  'behind a CR alone that a NUL in its own header hides': [['Subject: \0', ...forged].join('\r')],
  'in the line before': [`Subject: x\r\n \r${forged.join('\r')}`],
  'behind an LF in a quoted name': [`To: "x\\\n${forged.join('\\\n')}\\\n" <sip:100@y>`],
}

describe('edge: headers that only the edge writes', function () {
  this.timeout(60_000)
  let freeswitch: Freeswitch
  let events: TestClient
  let world: EdgeWorld
  let account: Account
  let number: TrunkNumber
  const ends: SipPhone[] = []

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    freeswitch = await startFreeswitch()
    events = await TestClient.open(freeswitch.port, freeswitch.password, 'event json CHANNEL_PARK')
    world = await EdgeWorld.start({ switchPort: freeswitch.sipPort })
    account = await world.account()
    number = await newNumber(world, await newAcl(world, [carrierHost]))
  })
  afterEach(async () => {
    for (const end of ends.splice(0)) end.close()
    await events?.api('hupall')
  })
  after(async () => {
    await events?.end()
    await world?.stop()
    await freeswitch?.stop()
  })

  const open = async (options: Parameters<typeof SipPhone.open>[1]): Promise<SipPhone> => {
    const end = await SipPhone.open(world.edge.options, options)
    ends.push(end)
    return end
  }
  const callers = {
    async phone(transport: Transport) {
      const phone = await open({ ...account, transport })
      const uri = `sip:100@${account.domain}`
      return async (extra: string[], callId: string) =>
        phone.authorised('INVITE', uri, { to: uri, extra: [sdp, ...extra], callId, body: offer })
    },
    async carrier(transport: Transport) {
      const of = { username: '+12025550123', domain: 'carrier.example', password: '' }
      const carrier = await open({ ...of, transport, host: carrierHost })
      const uri = `sip:${number.number}@${world.edge.options.sipHost}`
      return async (extra: string[], callId: string) =>
        carrier.request('INVITE', uri, { to: uri, extra: [sdp, ...extra], callId, body: offer })
    },
  }
  const expected = {
    phone: () => ({
      'X-Edge-Source': 'account',
      'X-Edge-Account': account.id,
      'X-Edge-Workspace': account.workspace,
    }),
    carrier: () => ({
      'X-Edge-Source': 'trunk',
      'X-Edge-Number': number.id,
      'X-Edge-Workspace': number.workspace,
      'X-Edge-Acl': number.acl,
    }),
  }

  for (const who of ['phone', 'carrier'] as const) {
    for (const transport of ['udp', 'tcp', 'ws'] as const) {
      for (const [where, extra] of Object.entries(hiding)) {
        it(`are refused from a ${who} over ${transport} ${where}`, async () => {
          const call = await callers[who](transport)
          const callId = `${Math.random()}@hidden`
          expect((await call(extra, callId)).status).to.equal(400)
          expect(parked(events, callId)).to.equal(undefined)
        })
      }

      it(`are the edge’s in a call from a ${who} over ${transport}`, async () => {
        const call = await callers[who](transport)
        const callId = `${Math.random()}@open`
        // Nobody answers: the switch parks the call.
        const answer = call(['X-FS-A: b', 'x-edge-source: sandbox', ...forged], callId).catch(() => undefined)
        const event = await events.event('CHANNEL_PARK', { variable_sip_call_id: callId })
        const told = Object.entries(event).filter(([name]) => name.startsWith('variable_sip_h_X-'))
        const headers = Object.fromEntries(
          told.map(([name, value]) => [name.replace('variable_sip_h_', ''), value]),
        )
        expect(headers).to.include(expected[who]())
        expect(JSON.stringify(headers)).not.to.match(/victim|sandbox|X-FS/)
        await events.api('hupall')
        await answer
      })
    }
  }
})

function parked(client: TestClient, callId: string): Event | undefined {
  return client.events.find((event) => event['variable_sip_call_id'] === callId)
}

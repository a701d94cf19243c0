/** What phones and carriers say of themselves stops at the edge: in requests and replies, both ways. */
import { expect } from 'chai'
import { SipDialog } from '../support/sip-dialog.js'
import { header } from '../support/sip-message.js'
import type { SipPhone } from '../support/sip-phone.js'
import { SipPhone as Phone } from '../support/sip-phone.js'
import { eventually } from '../support/api-client.js'
import { TrunkWorld } from './trunks.js'

const claims = [
  'P-Asserted-Identity: "Bank" <sip:+1claimed@x>',
  'p-asserted-identity : <sip:claimed@x>',
  'P-Preferred-Identity: <sip:claimed@x>',
  'P-Called-Party-ID: <sip:claimed@x>',
  'P-Charging-Vector: icid-value=claimed',
  'Remote-Party-ID: <sip:claimed@x>;party=calling',
  'Diversion: <sip:claimed@x>;reason=unconditional',
  'HISTORY-INFO: <sip:claimed@x>;index=1',
  'History-Info:\r\n <sip:claimed@x>;index=1',
  'Referred-By: <sip:claimed@x>',
  'b: <sip:claimed@x>',
  'Identity: claimed;info=<http://x>',
  'y: claimed;info=<http://x>',
  'Reply-To: <sip:claimed@x>',
  'Organization: claimed',
  'Call-Info: <http://claimed/>;answer-after=0',
  'Alert-Info: <http://claimed/>',
  'X-FS-Display-Name: claimed',
  'X-Anything: claimed',
]

describe('edge: what the far end says of itself', function () {
  this.timeout(30_000)
  let trunk: TrunkWorld
  const ends: SipPhone[] = []

  before(async () => {
    trunk = await TrunkWorld.start()
  })
  afterEach(() => {
    trunk.reset()
    for (const end of ends.splice(0)) end.close()
  })
  after(async () => trunk?.stop())

  /** A phone, as it calls and as it is called; of the carrier only the first. */
  const openPhone = async (): Promise<SipPhone> => {
    const phone = await Phone.open(trunk.world.edge.options, await trunk.world.account())
    ends.push(phone)
    expect((await phone.register()).status).to.equal(200)
    return phone
  }
  const heardBy = (end: SipPhone): string[] => {
    const heard: string[] = []
    end.link.onMessage((text) => heard.push(text))
    return heard
  }
  const unclaimed = (texts: string[]): void => {
    expect(texts.length).to.be.above(0)
    // What a carrier signs, and says of who forwarded a call, is read by the server.
    const read = /^X-Edge-(Identity|Diversion|History-Info): .*$/gm
    expect(texts.join('\n').replace(read, '')).not.to.match(/claimed/i)
  }
  /** Calls; the answer to its INVITE has claims too. */
  const callers: Record<
    string,
    () => Promise<[SipPhone, (extra: string[]) => ReturnType<SipPhone['request']>]>
  > = {
    carrier: async () => {
      const carrier = await trunk.open()
      return [carrier, async (extra) => trunk.call(carrier, undefined, { extra })]
    },
    phone: async () => {
      const phone = await openPhone()
      const uri = `sip:100@${phone.options.domain}`
      return [phone, async (extra) => phone.authorised('INVITE', uri, { to: uri, extra })]
    },
  }

  for (const [who, make] of Object.entries(callers)) {
    it(`is not told to the switch in a call of a ${who}, nor in what follows`, async () => {
      const [end, call] = await make()
      const answer = await call(claims)
      expect(answer.status, answer.text).to.equal(200)
      const dialog = SipDialog.calling(end, answer)
      await dialog.acknowledge()
      for (const method of [
        'INVITE',
        'UPDATE',
        'INFO',
        'PRACK',
        'MESSAGE',
        'NOTIFY',
        'OPTIONS',
        'BYE',
      ] as const)
        expect((await dialog.request(method, claims)).status, method).to.equal(200)
      unclaimed(trunk.fabric.requests)
      if (who === 'phone') expect(trunk.fabric.requests.join('\n')).not.to.match(/claimed/i)
      expect(new Set(trunk.fabric.requests.map((text) => text.split(' ', 1)[0]))).to.include.keys(
        'UPDATE',
        'BYE',
      )
    })

    it(`is not told to the switch in a ${who}'s answers within a call, nor to it in the switch’s`, async () => {
      const [end, call] = await make()
      const heard = heardBy(end)
      trunk.fabric.answerTo = (request) => {
        if (request.startsWith('ACK')) return undefined
        if (!request.startsWith('INVITE')) return trunk.fabric.reply(request, 200, 'OK', { extra: claims })
        setTimeout(
          () => trunk.fabric.link.send(trunk.fabric.reply(request, 200, 'OK', { extra: claims })),
          100,
        )
        return trunk.fabric.reply(request, 180, 'Ringing', { extra: claims })
      }
      const answer = await call([])
      expect(answer.status).to.equal(200)
      const switchHeard = heardBy(trunk.fabric)
      end.answerTo = (request) =>
        request.startsWith('ACK') ? undefined : end.reply(request, 200, 'OK', { extra: claims })
      const dialog = SipDialog.called(trunk.fabric, trunk.arrived().text)
      for (const method of ['UPDATE', 'INFO', 'BYE'] as const)
        expect((await dialog.request(method, claims)).status, method).to.equal(200)
      unclaimed(heard)
      unclaimed(switchHeard)
      expect(heard.some((text) => text.startsWith('SIP/2.0 180'))).to.equal(true)
    })
  }

  for (const status of [180, 183, 200, 302, 486, 503, 603]) {
    // What a phone forwards is told to the switch as 410.
    const told = status === 302 ? 410 : status
    it(`is not told to the switch in a ${status} to its INVITE`, async () => {
      const phone = await openPhone()
      const aor = phone.aor
      phone.answerTo = (request) => {
        if (request.startsWith('ACK')) return undefined
        const answer = (code: number) => phone.reply(request, code, 'x', { extra: claims })
        if (status >= 200) return answer(status)
        // Not both at once: the edge may hear the second one first.
        setTimeout(() => phone.link.send(answer(200)), 100)
        return answer(status)
      }
      const heard = heardBy(trunk.fabric)
      const { privateHost, privatePort } = trunk.world.edge.options
      const answer = await trunk.fabric.request('INVITE', aor, {
        to: aor,
        extra: [`Route: <sip:${privateHost}:${privatePort};lr>`, 'X-Edge-Destination: account'],
      })
      expect(answer.status).to.equal(Math.max(told, 200))
      await eventually(
        async () => heard.filter((text) => text.startsWith(`SIP/2.0 ${told}`)),
        ({ length }) => length > 0,
        { what: `${status}` },
      )
      unclaimed(heard)
    })
  }

  it('comes to nobody behind the folded name of a header, which the switch would read', async () => {
    const [carrier, call] = await callers['carrier']!()
    const folded = carrier.transact('INVITE', trunk.uriOf(trunk.number.number), [
      ...[`From: <${carrier.aor}>;tag=1`, `To: <${trunk.uriOf(trunk.number.number)}>`, 'Call-ID: folded@x'],
      ...['CSeq: 1 INVITE', `Contact: <${carrier.contact}>`, 'P-Asserted-Identity\r\n : <sip:claimed@x>'],
      ...['Content-Length: 0', '', ''],
    ])
    await folded.catch(() => undefined)
    expect((await call([])).status).to.equal(200)
    unclaimed(trunk.fabric.requests)
  })

  for (const [where, options] of Object.entries({
    'the name of From': { from: '"a%0d%0aX-Evil: claimed" <sip:1@x>' },
    'the user of From': { from: '<sip:1%0Aclaimed@x>' },
    Contact: { extra: ['Contact: <sip:x%00claimed@127.0.0.1>'] },
    To: { extra: ['To: "%1b%7F" <sip:claimed@x>'] },
  })) {
    it(`is refused with 400 where an encoded control character is in ${where}`, async () => {
      const carrier = await trunk.open()
      expect(await trunk.status(carrier, undefined, options)).to.equal(400)
      const phone = await openPhone()
      const uri = `sip:100@${phone.options.domain}`
      const { extra = [], from } = options as { extra?: string[]; from?: string }
      const named = from && `"${/"(.*)"/.exec(from)?.[1] ?? '%0a'}" <${phone.aor}>`
      const answer = await phone.request('INVITE', uri, { to: uri, extra, ...(named && { from: named }) })
      expect(answer.status).to.equal(400)
      expect(header(answer, 'Proxy-Authenticate')).to.equal(undefined)
      expect(trunk.fabric.requests).to.deep.equal([])
    })
  }
})

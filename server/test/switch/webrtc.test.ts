/** Legs of apps: the switch's offer, the app's answer, and who hears whom; with browsers where FreeSWITCH is real. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { expect } from 'chai'
import { pino } from 'pino'
import { EventSocketServer } from '../../src/sandbox/event-socket-server.js'
import { SandboxSwitch } from '../../src/sandbox/sandbox-switch.js'
import type { Channel } from '../../src/adapters/freeswitch/channel.js'
import { SwitchLink } from '../../src/adapters/freeswitch/switch-link.js'
import { type AppDialRequest, Switchboard } from '../../src/adapters/freeswitch/switchboard.js'
import { type LegOffer, LegAnswerer } from '../../src/adapters/freeswitch/leg-answerer.js'
import { eventually } from '../support/api-client.js'
import { availableSwitches } from '../support/appliance.js'
import { type BrowserPage, Chromium, findChromium } from '../support/browser.js'
import { freePort } from '../support/free-ports.js'
import { startFreeswitch } from '../support/freeswitch.js'

const log = pino({ level: 'silent' })

async function startSwitch(kind: string): Promise<{ port: number; password: string; stop(): Promise<void> }> {
  if (kind === 'freeswitch') return startFreeswitch()
  const sandbox = new SandboxSwitch('')
  const server = new EventSocketServer(sandbox, 'secret')
  const stop = async () => {
    sandbox.stop()
    await server.close()
  }
  return { port: await server.listen('127.0.0.1', 0), password: 'secret', stop }
}

class Bench {
  answerer!: LegAnswerer
  link!: SwitchLink
  board!: Switchboard

  constructor(
    private readonly target: { port: number; password: string; stop(): Promise<void> },
    private readonly appPort: number,
  ) {}

  /** A server's side of it. */
  async up(): Promise<void> {
    this.answerer = new LegAnswerer({ port: this.appPort }, log)
    await this.answerer.start()
    this.link = new SwitchLink({ host: '127.0.0.1', ...this.target }, log)
    this.board = new Switchboard(this.link, this.answerer)
    this.link.start()
    await once(this.link, 'up')
  }

  async down(): Promise<void> {
    await this.link.stop()
    await this.answerer.stop()
  }

  async stop(): Promise<void> {
    await this.down()
    await this.target.stop()
  }

  async offered(more: Partial<AppDialRequest> = {}): Promise<{ channel: Channel; offer: LegOffer }> {
    const channelId = this.board.newChannelId()
    let channel: Channel | undefined
    const offer = await new Promise<LegOffer>((resolve) => {
      channel = this.board.dialApp(
        {
          ...{ channelId, codec: 'OPUS', ringTimeout: 20, maxDuration: 120, afterBridge: 'park' },
          recoveryVariables: { jackfield_call: 'call_test' },
          ...more,
        },
        resolve,
      )
    })
    return { channel: channel!, offer }
  }
}

/** A well-formed answer without an address that anybody listens at. */
const someAnswer = 'v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\n'

/** Sends text over TCP; returns what comes back until the other side closes or `enough` is seen. */
async function exchange(port: number, text: string, enough: RegExp): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', timeout: 10_000 })
  socket.on('timeout', () => socket.destroy())
  let got = ''
  socket.on('data', (chunk: Buffer) => {
    got += chunk.toString()
    if (enough.test(got)) socket.destroy()
  })
  socket.on('error', () => undefined)
  socket.write(text)
  await new Promise((done) => socket.on('close', done))
  return got
}

function request(
  method: string,
  user: string,
  more: { tag?: string; cseq?: string; branch?: string } = {},
): string {
  const { tag = '', cseq = `1 ${method}`, branch = 'z9hG4bK1' } = more
  return [
    `${method} sip:${user}@127.0.0.1 SIP/2.0`,
    `Via: SIP/2.0/TCP 127.0.0.1;branch=${branch}`,
    'From: <sip:a@127.0.0.1>;tag=1',
    `To: <sip:${user}@127.0.0.1>${tag && `;tag=${tag}`}`,
    'Call-ID: nobody-knows-me',
    `CSeq: ${cseq}`,
    'Content-Length: 0',
    '\r\n',
  ].join('\r\n')
}

const stranger = '00000000-0000-4000-8000-000000000000'

for (const kind of await availableSwitches()) {
  describe(`legs of apps on the ${kind}`, function () {
    this.timeout(60_000)
    let bench: Bench

    before(async () => {
      bench = new Bench(await startSwitch(kind), await freePort())
      await bench.up()
    })
    after(async () => bench?.stop())

    it('offer WebRTC, and end with what the app refuses with', async () => {
      const causes = { 486: 'USER_BUSY', 603: 'CALL_REJECTED', 480: 'NO_USER_RESPONSE' }
      for (const [status, cause] of Object.entries(causes)) {
        const { channel, offer } = await bench.offered()
        expect(offer.sdp)
          .to.match(/^a=fingerprint:sha-256 /m)
          .and.match(/^a=candidate:.* typ host/m)
        expect(offer.sdp)
          .to.match(/opus\/48000/)
          .and.match(/telephone-event/)
        expect(offer.isRenewal).to.equal(false)
        const ended = once(channel, 'ended') as Promise<[{ hangupCause: string; sipCode: number | null }]>
        expect(offer.refuse(Number(status))).to.equal(true)
        const [end] = await ended
        expect(end.hangupCause).to.equal(cause)
        expect(offer.answer(someAnswer), 'an offer that is settled').to.equal(false)
      }
    })

    it('ring until they are given up, by us or by time', async () => {
      const { channel, offer } = await bench.offered()
      await eventually(
        async () => channel.state,
        (state) => state === 'ringing',
      )
      const ended = once(channel, 'ended')
      await channel.hangUp('ORIGINATOR_CANCEL')
      await ended
      await eventually(
        async () => offer.refuse(486),
        (waited) => !waited,
        { what: 'cancelled offer' },
      )
      const late = await bench.offered({ ringTimeout: 2 })
      const [end] = (await once(late.channel, 'ended')) as [{ hangupCause: string }]
      expect(end.hangupCause).to.equal('NO_ANSWER')
    })

    it('fail at once when nobody answers for apps', async () => {
      await bench.answerer.stop()
      const channelId = bench.board.newChannelId()
      const channel = bench.board.dialApp(
        {
          channelId,
          codec: 'OPUS',
          ringTimeout: 20,
          maxDuration: 60,
          afterBridge: 'park',
          recoveryVariables: {},
        },
        () => expect.fail('offered'),
      )
      const [end] = (await once(channel, 'ended', { signal: AbortSignal.timeout(15_000) })) as [
        { hangupCause: string },
      ]
      expect(end.hangupCause).to.match(
        /NORMAL_TEMPORARY_FAILURE|NETWORK_OUT_OF_ORDER|RECOVERY_ON_TIMER_EXPIRE/,
      )
      await bench.down()
      await bench.up()
    })

    it('are answered for those alone that are expected', async () => {
      const { port } = bench.answerer
      const ask = async (text: string) => (await exchange(port, text, /^SIP\/2\.0 [2-6]/m)).split('\r\n')[0]
      expect(await ask(request('INVITE', stranger))).to.equal('SIP/2.0 404 Not Found')
      expect(await ask(request('INVITE', 'x'))).to.equal('SIP/2.0 404 Not Found')
      expect(await ask(request('INVITE', stranger, { tag: 'x' }))).to.equal('SIP/2.0 488 Not Acceptable Here')
      expect(await ask(request('BYE', stranger, { tag: 'x' }))).to.equal('SIP/2.0 200 OK')
      expect(await ask(request('CANCEL', stranger))).to.match(/ 481 /)
      expect(await ask(request('OPTIONS', 'x'))).to.equal('SIP/2.0 200 OK')
      expect(await ask(request('REGISTER', 'x'))).to.match(/ 405 /)
      expect(await ask(request('BYE', 'x', { cseq: '1 INVITE' }))).to.match(/ 400 /)
      expect(await ask(request('ACK', 'x') + request('OPTIONS', 'x'))).to.equal('SIP/2.0 200 OK')
      expect(await exchange(port, 'GET / HTTP/1.1\r\n\r\n', /never/)).to.equal('')
      expect(await exchange(port, 'x'.repeat(200_000), /never/)).to.equal('')
      const { offer, channel } = await bench.offered()
      const other = await ask(request('INVITE', channel.id))
      expect(other, 'a second INVITE for one that rings').to.match(/ 491 /)
      expect(offer.refuse(486)).to.equal(true)
    })

    if (kind === 'sandbox') {
      it('are answered, and end with either side', async () => {
        const { channel, offer } = await bench.offered()
        const answered = once(channel, 'answered')
        expect(offer.answer(someAnswer)).to.equal(true)
        await answered
        const ended = once(channel, 'ended')
        await channel.hangUp('NORMAL_CLEARING')
        await ended
      })
      return
    }

    it('fail when the app answers what is no answer', async () => {
      const { channel, offer } = await bench.offered()
      const ended = once(channel, 'ended', { signal: AbortSignal.timeout(20_000) }) as Promise<
        [{ hangupCause: string }]
      >
      offer.answer(someAnswer)
      const [end] = await ended
      expect(end.hangupCause).to.match(
        /INCOMPATIBLE_DESTINATION|BEARERCAPABILITY|NORMAL_TEMPORARY|MANDATORY_IE/,
      )
    })

    describe('with browsers', function () {
      let chromium: Chromium
      let one: BrowserPage
      let other: BrowserPage

      before(async function () {
        if (!findChromium()) this.skip()
        chromium = await Chromium.start()
        one = await chromium.page(500)
        other = await chromium.page(900)
      })
      after(async () => chromium?.stop())

      async function answeredBy(page: BrowserPage, more: Partial<AppDialRequest> = {}): Promise<Channel> {
        const { channel, offer } = await bench.offered(more)
        const answered = once(channel, 'answered', { signal: AbortSignal.timeout(15_000) })
        offer.answer(await page.answerOf(offer.sdp))
        await answered
        return channel
      }

      it('carry sound both ways, in either codec', async () => {
        for (const codec of ['OPUS', 'PCMU'] as const) {
          const channel = await answeredBy(one, { codec })
          const far = await answeredBy(other)
          await channel.bridgeTo(far)
          await Promise.all([one.hears([900], [500]), other.hears([500], [900])])
          await Promise.all([channel.hangUp('NORMAL_CLEARING'), far.hangUp('NORMAL_CLEARING')])
        }
      })

      it('part again as soon as they are to be joined, and do then what they are told', async () => {
        const [agent, customer] = await Promise.all([answeredBy(one), answeredBy(other)])
        for (let count = 0; count < 10; count += 1) {
          await agent.bridgeTo(customer)
          await agent.partFrom(customer)
          const tones = [agent, customer].map(async (channel) =>
            channel.play('tone_stream://%(40,0,600)', AbortSignal.timeout(3_000)),
          )
          expect(await Promise.all(tones), `bridge ${count + 1}`).to.eql([true, true])
        }
        await Promise.all([agent.hangUp('NORMAL_CLEARING'), customer.hangUp('NORMAL_CLEARING')])
      })

      it('tell the keys that the app presses', async () => {
        const channel = await answeredBy(one)
        await channel.untilParked()
        let keys = ''
        channel.on('digit', (digit) => (keys += digit))
        void channel.playInBackground('tone_stream://%(60000,0,700)')
        await one.hears([700])
        await one.press('19#')
        await eventually(
          async () => keys,
          (pressed) => pressed === '19#',
          { what: 'keys 19#' },
        )
        await channel.hangUp('NORMAL_CLEARING')
      })

      it('listen in to a talk, whisper into it and barge in', async () => {
        const third = await chromium.page(1400)
        const agent = await answeredBy(one)
        const customer = await answeredBy(other)
        await agent.bridgeTo(customer)
        await Promise.all([one.hears([900]), other.hears([500])])
        const supervisor = await answeredBy(third, { codec: 'PCMU' })
        const over = supervisor.eavesdrop(agent.id, 'listen')
        await Promise.all([third.hears([500, 900]), one.hears([900], [1400]), other.hears([500], [1400])])
        await supervisor.switchEavesdrop('whisper')
        await Promise.all([third.hears([500, 900]), one.hears([900, 1400]), other.hears([500], [1400])])
        await supervisor.switchEavesdrop('barge')
        await Promise.all([one.hears([900, 1400]), other.hears([500, 1400])])
        await supervisor.switchEavesdrop('listen')
        await Promise.all([one.hears([900], [1400]), other.hears([500], [1400])])
        await supervisor.hangUp('NORMAL_CLEARING')
        await over.catch(() => undefined)
        await Promise.all([one.hears([900]), other.hears([500])])
        await Promise.all([agent.hangUp('NORMAL_CLEARING'), customer.hangUp('NORMAL_CLEARING')])
        await third.close()
      })

      it('renew their media for the same peer connection', async () => {
        let further: LegOffer | undefined
        const channelId = bench.board.newChannelId()
        const channel = bench.board.dialApp(
          {
            channelId,
            codec: 'OPUS',
            ringTimeout: 20,
            maxDuration: 60,
            afterBridge: 'park',
            recoveryVariables: {},
          },
          (offer) => {
            if (offer.isRenewal) further = offer
            else void one.answerOf(offer.sdp).then((sdp) => offer.answer(sdp))
          },
        )
        await once(channel, 'answered', { signal: AbortSignal.timeout(15_000) })
        await channel.untilParked()
        void channel.playInBackground('tone_stream://%(60000,0,700)')
        await one.hears([700])
        await bench.link.api(`uuid_media_reneg ${channelId}`)
        const renewal = await eventually(
          async () => further,
          (offer) => offer !== undefined,
          { what: 'a renewing offer' },
        )
        expect(renewal!.answer(await one.answerAgain(renewal!.sdp))).to.equal(true)
        const before = await one.packets()
        await eventually(
          async () => one.packets(),
          (packets) => packets > before + 50,
          { what: 'packets after the renewal' },
        )
        await one.hears([700])
        await channel.hangUp('NORMAL_CLEARING')
      })

      it('go on without the server, and end well with the next one', async () => {
        const channel = await answeredBy(one)
        const far = await answeredBy(other)
        await channel.bridgeTo(far)
        await Promise.all([one.hears([900]), other.hears([500])])
        await bench.down()
        const before = await one.packets()
        await eventually(
          async () => one.packets(),
          (packets) => packets > before + 100,
          { what: 'two seconds of packets' },
        )
        await Promise.all([one.hears([900]), other.hears([500])])
        await bench.up()
        const found = await bench.board.adopt(channel.id)
        expect(found?.snapshot).to.include({ answered: true, bridged: true })
        const ended = once(found!.channel, 'ended', { signal: AbortSignal.timeout(5_000) })
        const gone = once(bench.board, 'gone', { signal: AbortSignal.timeout(10_000) })
        await found!.channel.hangUp('NORMAL_CLEARING')
        await Promise.all([ended, gone])
        await bench.board.kill(far.id, 'NORMAL_CLEARING')
      })
    })
  })
}

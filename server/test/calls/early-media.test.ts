/** What the far end plays before it answers, on a real FreeSWITCH: who waits hears it in the place of a ringback. */
import { expect } from 'chai'
import { eventually } from '../support/api-client.js'
import { ActionsBench, type TestCall, bothTalk, hz, sleep } from '../support/actions-bench.js'
import { findFreeswitch } from '../support/freeswitch.js'
import { PhoneBench } from '../support/phone-bench.js'
import { type PhoneDialog, hears, packetsTo } from '../support/phone-dialog.js'
import type { Telephone } from '../support/telephone.js'

const farHz = 1500
const callerHz = 440

describe('early media on the freeswitch', function () {
  this.timeout(60_000)
  let bench: ActionsBench
  let far: Telephone
  /** The number whose gateway leads to the far end. */
  let from: string

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    bench = await ActionsBench.start({ credit: 10 })
    ;({ phone: far, from } = await bench.operator({ toneHz: farHz, onCall: 'ring' }))
  })
  after(async () => bench?.stop())

  const reach = (params: object = {}) => ({
    action: 'to_operator',
    params: { phone_number: '+12025550106', from, ...params },
  })

  /** Our own, of two tones. */
  const hearsRingback = async ({ dialog }: TestCall) =>
    eventually(
      async () => hears(dialog, 480, 2_000),
      (level) => level > 0.2,
      { what: 'ringback' },
    )

  /** A caller who is not answered, for whom the far end rings, and then somebody who wants to know. */
  async function waiting(params: object = {}): Promise<{ call: TestCall; dialog: PhoneDialog }> {
    const had = far.incoming.length
    const { audio_id } = (await bench.tone(hz.high, 0.5)).params as { audio_id: string }
    const call = await bench.ring([
      {
        id: 'out',
        type: 'to_operator',
        params: reach(params).params,
        next: { completed: 'after', busy: 'after' },
      },
      { id: 'after', type: 'play', params: { audio_id } },
    ])
    return { call, dialog: await far.called(had) }
  }

  it('is heard by callers who are not answered, until the answer, which is theirs too', async () => {
    const { call, dialog } = await waiting()
    await call.dialog.heard(180)
    far.announce(dialog)
    await call.dialog.heard(183)
    await call.hears(farHz)
    await sleep(1_000)
    expect(call.dialog.statuses, 'not answered').to.not.include(200)
    expect((await bench.calls.record(call.id)).answered_at).to.equal(null)
    far.accept(dialog)
    expect(await call.dialog.answered()).to.equal(200)
    await bothTalk(call, dialog, farHz, callerHz)
    await bench.calls.reaches(call.id, 'active')
    await dialog.hangUp()
    await call.hears(hz.high)
    await call.over()
    expect(await bench.inbound.path(call.id)).to.deep.equal(['out:completed', 'after:completed'])
    expect(call.tones).to.deep.equal([farHz, hz.high])
  })

  it('is not believed before it is heard: callers go on hearing that it rings', async () => {
    const { call, dialog } = await waiting()
    await call.dialog.heard(180)
    far.announce(dialog)
    far.ear.leave(dialog.media!.host, dialog.media!.port)
    await sleep(1_500)
    expect(call.dialog.statuses.filter((status) => status > 100)).to.deep.equal([180])
    far.ear.playTo(dialog.media!.host, dialog.media!.port)
    await call.dialog.heard(183)
    await call.hears(farHz)
    far.accept(dialog)
    expect(await call.dialog.answered()).to.equal(200)
    await bothTalk(call, dialog, farHz, callerHz)
    await dialog.hangUp()
    await call.over()
    const silent = await waiting()
    far.announce(silent.dialog)
    far.ear.leave(silent.dialog.media!.host, silent.dialog.media!.port)
    await sleep(500)
    far.accept(silent.dialog)
    // Its sound could reach the switch before its 200, which comes by the edge.
    far.ear.leave(silent.dialog.media!.host, silent.dialog.media!.port)
    expect(await silent.call.dialog.answered()).to.equal(200)
    expect(silent.call.dialog.statuses, 'no sound before the answer').to.not.include(183)
    far.ear.playTo(silent.dialog.media!.host, silent.dialog.media!.port)
    await bothTalk(silent.call, silent.dialog, farHz, callerHz)
    await silent.dialog.hangUp()
    await silent.call.over()
  })

  it('is heard by callers who are answered, in the place of our ringback; when it fails the script goes on', async () => {
    const had = far.incoming.length
    const call = await bench.run('outbound', [reach(), await bench.tone(hz.high, 0.5)])
    const dialog = await far.called(had)
    await hearsRingback(call)
    far.announce(dialog)
    await call.hears(farHz)
    far.refuse(dialog, 486)
    await call.hears(hz.high)
    const { record } = await call.over()
    expect(await call.outcomes()).to.deep.equal(['to_operator:busy', 'play:completed'])
    expect(record).to.include({ status: 'completed', hangup_cause: 'NORMAL_CLEARING' })
    expect(record.legs.at(-1)).to.include({ role: 'destination', sip_code: 486, answered_at: null })
  })

  it('tells callers who are not answered why they do not reach whom they call, and then SIP does', async () => {
    const { call, dialog } = await waiting()
    far.announce(dialog)
    await call.hears(farHz)
    far.refuse(dialog, 404)
    expect(await call.dialog.answered()).to.equal(503)
    const { record } = await call.over()
    expect(record).to.include({ status: 'failed', hangup_cause: 'NORMAL_TEMPORARY_FAILURE', cost: 0 })
  })

  it('is given up in time, and when the caller gives up', async () => {
    const late = await waiting({ timeout: 3 })
    far.announce(late.dialog)
    await late.call.hears(farHz)
    expect(await late.dialog.over()).to.equal('CANCEL')
    await late.call.over()
    expect(await bench.inbound.path(late.call.id)).to.deep.equal(['out:no_answer'])
    const left = await waiting()
    far.announce(left.dialog)
    await left.call.hears(farHz)
    left.call.dialog.phone.cancel(left.call.dialog)
    expect(await left.dialog.over()).to.equal('CANCEL')
    expect((await left.call.over()).record).to.include({ status: 'canceled', cost: 0 })
  })

  it('may be followed by an answer or a refusal at any moment', async () => {
    for (const ms of [0, 10, 20, 40, 80, 160]) {
      const { call, dialog } = await waiting()
      far.announce(dialog)
      await sleep(ms)
      far.accept(dialog)
      expect(await call.dialog.answered(), `${ms} ms later`).to.equal(200)
      await bench.calls.reaches(call.id, 'active')
      await dialog.up()
      await dialog.hangUp()
      await call.over()
      const other = await waiting()
      far.announce(other.dialog)
      await sleep(ms)
      far.refuse(other.dialog, 486)
      await other.call.over()
      const paths = [await bench.inbound.path(call.id), await bench.inbound.path(other.call.id)]
      expect(paths, `${ms} ms later`).to.deep.equal([
        ['out:completed', 'after:completed'],
        ['out:busy', 'after:completed'],
      ])
      expect(call.dialog.endedBy, 'who is served is let go by us').to.equal('BYE')
    }
  })

  it('is not heard where an audio is to be', async () => {
    const { call, dialog } = await waiting({ ringback_audio_id: await bench.audio(hz.low, 1) })
    await call.hears(hz.low)
    far.announce(dialog)
    await sleep(1_000)
    expect(call.tones).to.deep.equal([hz.low])
    far.accept(dialog)
    await bothTalk(call, dialog, farHz, callerHz)
    await call.dialog.hangUp()
    await call.over()
  })

  it('is followed by our ringback when the next address is silent', async () => {
    const { phone: next } = await bench.operator({ toneHz: 1800, onCall: 'ring' })
    const addresses = [far, next].map(({ port }, index) => ({
      ...{ uri: '127.0.0.1', port, protocol: 'udp' as const, priority: index + 1 },
    }))
    await bench.calls.connectNumber('2025550169', addresses)
    const had = far.incoming.length
    const call = await bench.run('outbound', [reach({ from: '+12025550169' })])
    const dialog = await far.called(had)
    far.announce(dialog)
    await call.hears(farHz)
    far.refuse(dialog, 503)
    const second = await next.called(0)
    await hearsRingback(call)
    next.accept(second)
    await bothTalk(call, second, 1800, callerHz)
    await second.hangUp()
    await call.over()
  })

  it('survives the server: who waits is connected anew', async () => {
    const had = far.incoming.length
    const { call, dialog } = await waiting()
    far.announce(dialog)
    await call.hears(farHz)
    await bench.calls.appliance.killServer()
    await sleep(500)
    await call.hears(farHz)
    await bench.calls.appliance.startServer()
    expect(await dialog.over()).to.equal('CANCEL')
    const again = await far.called(had + 1)
    far.accept(again)
    expect(await call.dialog.answered()).to.equal(200)
    await bothTalk(call, again, farHz, callerHz)
    await again.hangUp()
    await call.hears(hz.high)
    await call.over()
  })

  it('survives the server also when the far end answers meanwhile', async () => {
    const { call, dialog } = await waiting()
    far.announce(dialog)
    await call.hears(farHz)
    await bench.calls.appliance.killServer()
    far.accept(dialog)
    expect(await call.dialog.answered()).to.equal(200)
    await bench.calls.appliance.startServer()
    await bench.calls.reaches(call.id, 'active', 20_000)
    await bothTalk(call, dialog, farHz, callerHz)
    await dialog.hangUp()
    await call.hears(hz.high)
    const { record } = await call.over()
    expect(record.status).to.equal('completed')
    expect(await bench.inbound.path(call.id)).to.deep.equal(['out:completed', 'after:completed'])
  })

  describe('of a number that a phone dials', () => {
    const number = '+12025550106'
    let phones: PhoneBench
    let phone: Telephone

    before(async () => {
      phones = PhoneBench.on(bench.calls)
      phone = await phones.phone(await phones.account('desk', from), { toneHz: callerHz })
    })
    after(async () => phones?.closePhones())
    afterEach(() => {
      far.says = []
      far.describes = (sdp) => sdp
    })

    /** A phone for which the far end rings. */
    async function dialled(): Promise<{ out: PhoneDialog; dialog: PhoneDialog }> {
      const had = far.incoming.length
      const out = phone.call(number)
      return { out, dialog: await far.called(had) }
    }
    const silence = ({ media }: PhoneDialog) => far.ear.leave(media!.host, media!.port)
    const speech = ({ media }: PhoneDialog) => far.ear.playTo(media!.host, media!.port)
    const provisional = ({ statuses }: PhoneDialog) => statuses.filter((one) => one > 100 && one < 200)
    const hearsFar = async (out: PhoneDialog) =>
      eventually(
        async () => hears(out, farHz, 1_600),
        (level) => level > 0.8,
        { what: 'far end' },
      )
    /** Both are joined, and the phone hangs up. */
    const talksAndEnds = async (out: PhoneDialog, dialog: PhoneDialog) => {
      expect(await out.answered()).to.equal(200)
      speech(dialog)
      await hearsFar(out)
      await eventually(
        async () => hears(dialog, callerHz, 1_600),
        (level) => level > 0.8,
        { what: 'phone' },
      )
      await out.hangUp()
      await dialog.over()
    }

    const onHold = (sdp: string) => sdp.replace(/^c=.*$/m, 'c=IN IP4 0.0.0.0')
    for (const { what, says = [], describes = (sdp: string) => sdp, rings: incomingCalls = false } of [
      { what: 'with nothing behind it' },
      { what: 'and 180 behind it', rings: true },
      { what: 'with P-Early-Media: inactive', says: ['P-Early-Media: inactive'] },
      { what: 'that is inactive', describes: (sdp: string) => `${sdp}a=inactive\r\n` },
      { what: 'that goes one way', describes: (sdp: string) => `${sdp}a=sendonly\r\n` },
      { what: 'from no address', describes: onHold },
    ]) {
      it(`is ringing (180) where a far end that sends none announces it (183) ${what}`, async () => {
        const { out, dialog } = await dialled()
        far.says = says
        far.describes = describes
        far.announce(dialog)
        silence(dialog)
        far.says = []
        far.describes = (sdp) => sdp
        await out.heard(180)
        if (incomingCalls) {
          await sleep(400)
          far.ring(dialog)
        }
        await sleep(1_000)
        expect(new Set(provisional(out))).to.deep.equal(new Set([180]))
        far.accept(dialog)
        await talksAndEnds(out, dialog)
        expect(await phones.lastCall()).to.include({ status: 'completed', sip_code: 200 })
      })
    }

    it('is heard at once, also when it begins late; 180 does not end it, and neither does its silence', async () => {
      for (const { afterMs } of [{ afterMs: 0 }, { afterMs: 2_000 }]) {
        const { out, dialog } = await dialled()
        far.announce(dialog)
        if (afterMs) {
          silence(dialog)
          await sleep(afterMs)
          expect(out.statuses).to.not.include(183)
          speech(dialog)
        }
        const began = Date.now()
        await eventually(
          async () => packetsTo(out),
          (packets) => packets > 0,
          { everyMs: 5, what: 'first packet' },
        )
        // Under 200 on an idle machine.
        expect(Date.now() - began, 'ms until the first packet').to.be.below(500)
        await hearsFar(out)
        far.ring(dialog)
        await sleep(300)
        await hearsFar(out)
        silence(dialog)
        await sleep(500)
        speech(dialog)
        await hearsFar(out)
        expect(out.statuses).to.not.include(200)
        far.accept(dialog)
        await talksAndEnds(out, dialog)
      }
    })

    it('is followed by its refusal, which the phone is told', async () => {
      for (const isHeard of [false, true]) {
        const { out, dialog } = await dialled()
        far.announce(dialog)
        if (isHeard) await hearsFar(out)
        else silence(dialog)
        await out.heard(isHeard ? 183 : 180)
        far.refuse(dialog, 486)
        expect(await out.answered()).to.equal(486)
        expect(await phones.lastCall()).to.include({ status: 'busy', sip_code: 486, cost: 0 })
      }
    })

    it('is followed by our ringback when the next address only rings', async () => {
      const { phone: next } = await bench.operator({ toneHz: 1800, onCall: 'ring' })
      const addresses = [far, next].map(({ port }, index) => ({
        ...{ uri: '127.0.0.1', port, protocol: 'udp' as const, priority: index + 1 },
      }))
      await bench.calls.connectNumber('2025550168', addresses)
      const other = await phones.phone(await phones.account('other', '+12025550168'), { toneHz: callerHz })
      const had = far.incoming.length
      const out = other.call(number)
      const dialog = await far.called(had)
      far.announce(dialog)
      await hearsFar(out)
      far.refuse(dialog, 503)
      const second = await next.called(0)
      await eventually(
        async () => hears(out, 480, 2_000),
        (level) => level > 0.2,
        { what: 'ringback' },
      )
      next.accept(second)
      expect(await out.answered()).to.equal(200)
      await eventually(
        async () => hears(out, 1_800, 1_600),
        (level) => level > 0.8,
        { what: 'next address' },
      )
      await out.hangUp()
      await second.over()
    })

    it('survives the server: it goes on, or begins when the server is back', async () => {
      const [heard, silent] = [await dialled(), await dialled()]
      far.announce(heard.dialog)
      await hearsFar(heard.out)
      far.announce(silent.dialog)
      silence(silent.dialog)
      await silent.out.heard(180)
      await bench.calls.appliance.killServer()
      await hearsFar(heard.out)
      await bench.calls.appliance.startServer()
      speech(silent.dialog)
      await hearsFar(silent.out)
      for (const { out, dialog } of [heard, silent]) {
        far.accept(dialog)
        await talksAndEnds(out, dialog)
      }
    })
  })
})

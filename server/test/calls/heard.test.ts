/** What the far end hears, on a real FreeSWITCH behind Kamailio: every party plays its own tone. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { findFreeswitch } from '../support/freeswitch.js'
import { CallBench } from '../support/call-bench.js'
import { Carrier } from '../support/sipp.js'
import { digestIsRight } from '../support/sip-message.js'
import { selfSigned } from '../support/tls-relay.js'
import { toneLevel } from '../support/tone.js'
import { multipart, wavFile } from '../support/audio-files.js'

const uploadedHz = 620
const carrierHz = 1000

describe('what is heard on calls over a real FreeSWITCH', function () {
  this.timeout(60_000)
  let bench: CallBench
  let directory: string
  let tls: { certificate: string; key: string }

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    directory = await mkdtemp(join(tmpdir(), 'jackfield-tls-'))
    tls = await selfSigned(directory)
    bench = await CallBench.start('freeswitch', {
      carrier: { toneHz: carrierHz },
      edge: { tlsCaFile: tls.certificate },
    })
  })
  after(async () => {
    await bench?.stop()
    if (directory) await rm(directory, { recursive: true, force: true })
  })

  const carrier = () => bench.carrier!

  async function uploadTone(seconds: number): Promise<string> {
    const answer = await bench.api.request('POST', '/audios', {
      raw: multipart({ title: 'Tone' }, { name: 'tone.wav', content: wavFile(uploadedHz, seconds) }),
    })
    expect(answer.status).to.equal(201)
    return answer.body.id as string
  }

  it('the far end hears the speech and then the uploaded tone', async () => {
    const audio_id = await uploadTone(2)
    const tts = { action: 'tts', params: { text: 'Good morning, this is Jackfield.' } }
    // The first call makes the speech and waits for it; from then on it is kept.
    await bench.ended(await bench.call('+12025550100', [tts]))
    carrier().ear.clear()
    const id = await bench.call('+12025550100', [tts, { action: 'play', params: { audio_id } }])
    const record = await bench.ended(id)
    expect(record.hangup_cause).to.equal('NORMAL_CLEARING')
    const [heard] = carrier().ear.heard()
    expect(heard, 'audio from the switch').to.not.equal(undefined)
    const pcm = heard!.pcm
    const tone = pcm.subarray(pcm.length - 2 * 8000 + 800, pcm.length - 800)
    const speech = pcm.subarray(0, pcm.length - 2 * 8000 - 1600)
    expect(toneLevel(tone, uploadedHz)).to.be.above(0.9)
    expect(toneLevel(speech, uploadedHz)).to.be.below(0.2)
    const loudest = speech.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)
    expect(loudest, 'speech is no silence').to.be.above(2_000)
    expect(speech.length / 8000).to.be.within(1, 6)
    // What was played took as long as the call was charged for.
    expect(record.duration).to.be.within(Math.floor(pcm.length / 8000), Math.ceil(pcm.length / 8000) + 1)
  })

  it('stops what plays when the actions are replaced', async () => {
    const audio_id = await uploadTone(10)
    carrier().ear.clear()
    const id = await bench.call('+12025550100', [{ action: 'play', params: { audio_id } }])
    await bench.reaches(id, 'started')
    await new Promise((done) => setTimeout(done, 1_000))
    await bench.api.put(`/calls/${id}/actions`, { actions: [{ action: 'hangup' }] })
    const record = await bench.ended(id)
    expect(record.duration).to.be.at.most(2)
  })

  it('plays in the background while the script goes on', async () => {
    const audio_id = await uploadTone(2)
    carrier().ear.clear()
    const id = await bench.call('+12025550100', [
      { action: 'play', params: { audio_id, continue_on_play: true } },
      {
        action: 'to_operator',
        params: { phone_number: '+12025550102', timeout: 2, ringback_audio_id: audio_id },
      },
    ])
    await bench.ended(id)
    const pcm = carrier().ear.heard()[0]!.pcm
    expect(toneLevel(pcm, uploadedHz)).to.be.above(0.9)
  })

  it('joins caller and operator: each hears the other', async () => {
    const operators = await Carrier.start({ toneHz: 1500 })
    try {
      await bench.connectNumber('2025550161', [
        { uri: operators.host, port: operators.port, protocol: 'udp', priority: 1 },
      ])
      carrier().ear.clear()
      const id = await bench.call('+12025550100', [
        { action: 'to_operator', params: { phone_number: '+12025550106', from: '+12025550161' } },
      ])
      await bench.ended(id)
      const operatorHeard = operators.ear.heard()[0]!.pcm
      const callerHeard = carrier().ear.heard().at(-1)!.pcm
      expect(toneLevel(operatorHeard.subarray(-8000), carrierHz), 'operator hears the caller').to.be.above(
        0.8,
      )
      expect(toneLevel(callerHeard.subarray(-8000), 1500), 'caller hears the operator').to.be.above(0.8)
    } finally {
      await operators.stop()
    }
  })

  it('shows the carrier the number that the call goes out with', async () => {
    const id = await bench.call('+12025550101', [], {
      from: { number: '+12025550199', name: 'Acme, "Sales" & Söhne' },
    })
    await bench.ended(id)
    const invites = await carrier().waitFor(
      'INVITE',
      ({ method, direction }) => method === 'INVITE' && direction === 'received',
    )
    // SIPp's trace is read byte by byte.
    const text = Buffer.from(invites.at(-1)!.text, 'latin1').toString()
    expect(text).to.match(/^From: .*<sip:\+12025550199@/m)
    expect(text).to.match(/^P-Asserted-Identity: <sip:\+12025550199@/m)
    expect(text).to.match(/^From: "Acme, ”Sales” & Söhne"/m)
    expect(text).to.not.match(/jackfield_|X-Jackfield/i)
  })

  it('answers a carrier that demands digest', async () => {
    const strict = await Carrier.start({ scenario: 'carrier-digest' })
    const password = `pa'ss,"w\\ord $x`
    try {
      await bench.connectNumber(
        '2025550162',
        [{ uri: strict.host, port: strict.port, protocol: 'udp', priority: 1 }],
        { username: 'acme', password },
      )
      const id = await bench.call('+12025550100', [{ action: 'hangup' }], {
        from: { number: '+12025550162' },
      })
      expect(await bench.ended(id)).to.include({ status: 'completed', sip_code: 200 })
      const [authorized] = await strict.waitFor(
        'authorized INVITE',
        ({ method, text }) => method === 'INVITE' && /Authorization:/i.test(text),
      )
      const authorization = /^(?:Proxy-)?Authorization: *(.*)$/im.exec(authorized!.text)![1]!
      expect(digestIsRight(authorization, 'INVITE', password)).to.equal(true)
    } finally {
      await strict.stop()
    }
  })

  for (const protocol of ['tcp', 'tls'] as const) {
    it(`reaches a carrier over ${protocol}`, async () => {
      const secure = await Carrier.start({ transport: protocol, tls })
      try {
        await bench.connectNumber(protocol === 'tcp' ? '2025550163' : '2025550164', [
          { uri: secure.host, port: secure.port, protocol, priority: 1 },
        ])
        const from = { number: protocol === 'tcp' ? '+12025550163' : '+12025550164' }
        const id = await bench.call(
          '+12025550106',
          [{ action: 'tts', params: { text: 'one two three four five six seven' } }],
          { from },
        )
        expect(await bench.ended(id)).to.include({ status: 'completed', sip_code: 200 })
        const packets = secure.ear.heard().reduce((sum, heard) => sum + heard.packets, 0)
        expect(packets).to.be.above(20)
      } finally {
        await secure.stop()
      }
    })
  }
})

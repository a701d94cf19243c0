/** Calls that go out with a number which has them recorded: those of the API, and those of phones. */
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { eventually } from '../support/api-client.js'
import { findFreeswitch } from '../support/freeswitch.js'
import { PhoneBench } from '../support/phone-bench.js'
import { heardIn, hears } from '../support/phone-dialog.js'
import { toneLevel } from '../support/tone.js'
import { recordingIs, recordingsOf, soundOf, uploadTone } from './recorded.js'

const phoneHz = 700
const carrierHz = 1000
const promptHz = 1700
const noticeHz = 2_200

/** How often a tone was heard, each time for 100 ms or more. */
function burstsOf(pcm: Int16Array, hz: number): number {
  const block = 400
  let [bursts, length] = [0, 0]
  for (let at = 0; at + block <= pcm.length; at += block) {
    length = toneLevel(pcm.subarray(at, at + block), hz) > 0.2 ? length + 1 : 0
    if (length === 2) bursts += 1
  }
  return bursts
}

describe('recording of outbound calls on the freeswitch', function () {
  this.timeout(60_000)
  let bench: PhoneBench

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    bench = await PhoneBench.start({ carrier: { toneHz: carrierHz } })
    await recorded(true)
  })
  after(async () => bench?.stop())

  async function recorded(record_outbound: boolean): Promise<void> {
    await bench.api.patch(`/phone-numbers/${bench.bench.numberId}`, { record_outbound })
  }

  it('begins with the answer of a call that the API makes', async () => {
    const audio_id = await uploadTone(bench.api, promptHz, 1.5)
    const id = await bench.bench.call('+12025550100', [{ action: 'play', params: { audio_id } }])
    await bench.bench.ended(id)
    const recording = await recordingIs(bench.api, id, 'ready')
    expect(recording).to.include({ kind: 'call', format: 'wav', channels: 1 })
    const { channels, seconds } = await soundOf(bench.api, recording)
    expect(seconds).to.be.within(1, 4)
    const middle = channels[0]!.subarray(4_000, 10_000)
    for (const hz of [carrierHz, promptHz]) expect(toneLevel(middle, hz), `${hz} Hz`).to.be.above(0.3)
  })

  it('holds both sides of a call that a phone makes, also when the server is killed', async () => {
    const account = await bench.account('anna', '+12025550199')
    const phone = await bench.phone(account, { toneHz: phoneHz })
    const dialog = phone.call('+12025550100')
    expect(await dialog.answered()).to.equal(200)
    const id = await bench.lastCallIs('active')
    await recordingIs(bench.api, id, 'recording')
    await sleep(1_000)
    await bench.bench.appliance.killServer()
    await bench.bench.appliance.startServer()
    await sleep(1_000)
    await dialog.hangUp()
    const { channels, seconds } = await soundOf(bench.api, await recordingIs(bench.api, id, 'ready'))
    expect(seconds).to.be.at.least(2)
    for (const hz of [phoneHz, carrierHz]) expect(toneLevel(channels[0]!, hz), `${hz} Hz`).to.be.above(0.3)
  })

  it('is announced to both ends, once by the audio of the workspace, and again and again by a tone', async () => {
    const recording_notice_audio_id = await uploadTone(bench.api, noticeHz, 1)
    const [one, other] = [await bench.account('bert'), await bench.account('carl')]
    const caller = await bench.phone(one, { toneHz: phoneHz })
    const called = await bench.phone(other, { toneHz: carrierHz })
    const talk = async (settings: object, hz: number, times: number) => {
      const { status, body } = await bench.api.patch('/profile', settings)
      expect(status, JSON.stringify(body)).to.equal(200)
      const had = [caller.incoming.length, called.incoming.length]
      const id = await bench.bench.call('bert', [
        { action: 'recording' },
        { action: 'to_operator', params: { phone_number: 'carl' } },
      ])
      await bench.lastCallIs('active')
      const ends = [caller.incoming[had[0] ?? 0]!, called.incoming[had[1] ?? 0]!]
      await eventually(
        async () => Promise.resolve(ends.map((end) => burstsOf(heardIn(end), hz))),
        (bursts) => bursts.every((count) => count >= times),
        { withinMs: 25_000, what: `${hz} Hz at both ends` },
      )
      await eventually(
        async () => Promise.resolve([hears(ends[0]!, carrierHz), hears(ends[1]!, phoneHz)]),
        (levels) => levels.every((level) => level > 0.5),
        { what: 'the talk after it' },
      )
      await ends[0]!.hangUp()
      await bench.bench.ended(id)
    }
    try {
      await talk({ recording_notice: 'announcement', recording_notice_audio_id }, noticeHz, 1)
      const account = await bench.account('dora', '+12025550199')
      const dora = (await bench.phone(account, { toneHz: phoneHz })).call('+12025550100')
      expect(await dora.answered()).to.equal(200)
      await eventually(
        async () => Promise.resolve(burstsOf(heardIn(dora), noticeHz)),
        (bursts) => bursts > 0,
        { what: `${noticeHz} Hz at the phone of a number that records` },
      )
      await dora.hangUp()
      await talk({ recording_notice: 'tone' }, 1_400, 2)
    } finally {
      await bench.api.patch('/profile', { recording_notice: 'none', recording_notice_audio_id: null })
    }
  })

  it('that cannot begin leaves the call as it is, and its timeline says so', async () => {
    const incoming = join(bench.bench.appliance.mediaDirectory, 'recordings', 'incoming')
    await rename(incoming, `${incoming}.away`)
    // FreeSWITCH would make a folder that is not there.
    await writeFile(incoming, '')
    try {
      const id = await bench.bench.call('+12025550100', [{ action: 'tts', params: { text: 'Hello.' } }])
      expect(await bench.bench.ended(id)).to.include({ status: 'completed' })
      const noted = await eventually(
        async () => (await bench.bench.timeline(id)).filter(({ details }) => details?.action === 'recording'),
        ({ length }) => length > 0,
      )
      expect(noted.map(({ event, details }) => ({ event, ...details }))).to.deep.equal([
        { event: 'call.action', action: 'recording', outcome: 'failed' },
      ])
    } finally {
      await rm(incoming)
      await rename(`${incoming}.away`, incoming)
    }
  })

  it('is of numbers that ask for it alone', async () => {
    await recorded(false)
    const id = await bench.bench.call('+12025550100', [{ action: 'tts', params: { text: 'Hello.' } }])
    await bench.bench.ended(id)
    await eventually(
      async () => bench.bench.record(id),
      ({ ended_at }) => ended_at !== null,
    )
    expect(await recordingsOf(bench.api, id)).to.deep.equal([])
  })
})

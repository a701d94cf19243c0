/** An admin follows the recording of a real call to its end, on a real FreeSWITCH. */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import {
  recordingIs,
  recordingsOf,
  soundOf,
  uploadTone,
} from '../../../server/dist/test/recordings/recorded.js'
import { CallBench } from '../../../server/dist/test/support/call-bench.js'
import { findFreeswitch } from '../../../server/dist/test/support/freeswitch.js'
import { toneLevel } from '../../../server/dist/test/support/tone.js'
import { ConsoleBench } from './support/console-bench.js'
import { looksGood } from './support/looks.js'

const calledHz = 1000
const promptHz = 700
const promptSeconds = 6

/** What an audio file is, by its own words. */
async function probe(path: string) {
  const entries = 'format=format_name,duration:stream=codec_type,channels'
  const { stdout } = await promisify(execFile)('ffprobe', [
    ...['-v', 'error', '-show_entries', entries, '-of', 'json', path],
  ])
  const { format, streams } = JSON.parse(stdout) as {
    format: { format_name: string; duration: string }
    streams: { codec_type: string; channels: number }[]
  }
  return { name: format.format_name, seconds: Number(format.duration), streams }
}

const playing = async (page: Page) =>
  page.locator('audio').evaluate(({ currentTime, duration, ended }: HTMLAudioElement) => {
    return { currentTime, duration, ended }
  })

describe('Recordings of calls in the console', function () {
  this.timeout(120_000)
  let calls: CallBench
  let bench: ConsoleBench

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    calls = await CallBench.start('freeswitch', { carrier: { toneHz: calledHz } })
    bench = await ConsoleBench.on(calls.workspace)
  })
  after(async () => {
    await bench?.closePages()
    await calls?.stop()
  })

  it('should come as they are stored, be played to their end, downloaded and deleted', async () => {
    const { api } = calls
    const audio_id = await uploadTone(api, promptHz, promptSeconds)
    const id = await calls.call('+12025550100', [
      { action: 'recording' },
      { action: 'play', params: { audio_id } },
    ])
    await calls.reaches(id, 'started')
    const { page, problems } = await bench.admin(`/calls/${id}`)
    const opened = await page.evaluate(() => performance.timeOrigin)
    const recordings = page.getByRole('region', { name: 'Recordings' })
    await recordings.getByText('Recording now').waitFor()
    const play = recordings.getByRole('button', { name: 'Play' })
    await play.waitFor()
    await recordings.getByText('Ready').waitFor()
    expect(await page.evaluate(() => performance.timeOrigin), 'the page that was opened').to.equal(opened)

    const recording = await recordingIs(api, id, 'ready')
    expect(recording.duration).to.be.within(promptSeconds - 1, promptSeconds + 2)
    await play.click()
    await recordings.getByRole('button', { name: 'Pause' }).waitFor()
    await recordings.locator('[data-waveform] > div').waitFor({ state: 'attached' })
    await looksGood(page, 'call-recording')
    await play.waitFor()
    const { currentTime, duration, ended } = await playing(page)
    expect(ended).to.equal(true)
    expect(currentTime).to.equal(duration)
    expect(duration).to.be.closeTo(recording.duration!, 0.05)
    const position = recordings.getByRole('slider', { name: 'Position in the recording' })
    expect(Number(await position.getAttribute('aria-valuenow'))).to.be.closeTo(recording.duration!, 0.05)
    await play.press('Enter')
    await recordings.getByRole('button', { name: 'Pause' }).press('Enter')
    expect((await playing(page)).currentTime).to.be.below(duration)

    const download = page.waitForEvent('download')
    await recordings.getByRole('button', { name: 'Download the recording' }).click()
    const file = await download
    expect(file.suggestedFilename()).to.equal(`${recording.id}.wav`)
    const kept = await file.path()
    const { name, seconds, streams } = await probe(kept)
    expect(name).to.equal('wav')
    expect(seconds).to.be.closeTo(recording.duration!, 0.05)
    expect(streams).to.eql([{ codec_type: 'audio', channels: 1 }])
    expect((await readFile(kept)).length).to.equal(recording.size)
    const [sound = new Int16Array()] = (await soundOf(api, recording)).channels
    for (const hz of [promptHz, calledHz])
      expect(toneLevel(sound.subarray(8_000, 24_000), hz), `${hz} Hz`).to.be.above(0.3)

    await recordings.getByRole('button', { name: 'Delete the recording' }).click()
    const question = page.getByRole('dialog', { name: 'Delete Recording 1?' })
    await question.getByRole('button', { name: 'Delete' }).click()
    await recordings.getByText('Nothing was recorded of this call.').waitFor()
    expect(await page.locator('audio').count()).to.equal(0)
    expect(await recordingsOf(api, id)).to.eql([])
    for (const path of ['', '/content']) {
      expect((await api.get(`/recordings/${recording.id}${path}`)).status, path).to.equal(404)
    }
    expect(problems).to.eql([])
  })
})

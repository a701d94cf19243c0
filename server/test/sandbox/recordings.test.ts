/** Recordings as FreeSWITCH 1.10.12 makes and tells them. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { samplesOf } from '../support/audio-files.js'
import { toneLevel } from '../support/tone.js'
import { SandboxFixture } from './sandbox-fixture.js'

describe('sandbox: recordings', function () {
  this.timeout(10_000)
  const fixture = new SandboxFixture()
  const folder = mkdtempSync(join(tmpdir(), 'jackfield-sandbox-'))
  const api = async (command: string) => fixture.client.api(command)
  const stopped = async (file: string) => fixture.client.event('RECORD_STOP', { 'Record-File-Path': file })
  before(async () => fixture.start())
  after(async () => {
    await fixture?.stop()
    rmSync(folder, { recursive: true })
  })

  const whole = 'RECORD_PRE_BUFFER_FRAMES=0'

  it('are files of their length, silent where they were masked', async () => {
    const uuid = await fixture.parked()
    const file = join(folder, 'made', 'one.wav')
    expect(await api(`uuid_record ${uuid} start ${file} 60 {${whole}}`)).to.equal('+OK Success\n')
    expect(await api(`uuid_record ${uuid} start ${file} 60`), 'it runs').to.equal('+OK Success\n')
    expect(await api(`uuid_buglist ${uuid}`)).to.include(`<target>${file}</target>`)
    await sleep(400)
    expect(await api(`uuid_record ${uuid} mask ${file}`)).to.equal('+OK Success\n')
    await sleep(400)
    expect(await api(`uuid_record ${uuid} unmask ${file}`)).to.equal('+OK Success\n')
    await sleep(200)
    expect(await api(`uuid_record ${uuid} stop ${file}`)).to.equal('+OK Success\n')
    const end = await stopped(file)
    expect(end).to.include({ 'Record-Completion-Cause': 'success-maxtime', 'Unique-ID': uuid })
    expect(end).to.include({ 'Recording-Variable-RECORD_PRE_BUFFER_FRAMES': '0' })
    const wav = readFileSync(file)
    const ms = Number(end['variable_record_ms'])
    expect(ms).to.be.at.least(1000)
    expect(samplesOf(wav)).to.have.length(ms * 8)
    expect(Number(end['variable_record_file_size'])).to.equal(wav.length)
    const samples = samplesOf(wav)
    expect(toneLevel(samples.subarray(0, 3000), 400)).to.be.greaterThan(0.9)
    expect(toneLevel(samples.subarray(-1200), 400)).to.be.greaterThan(0.9)
    const quiet = [...samples].filter((sample, index) => sample === 0 && samples[index + 1] === 0).length
    expect(quiet, 'a masked stretch').to.be.at.least(390 * 8)
    expect(await api(`uuid_buglist ${uuid}`)).to.equal('<media-bugs>\n</media-bugs>\n')
  })

  it('hold the caller on the left in stereo, and leave half a second out unless told otherwise', async () => {
    const uuid = await fixture.parked()
    const [both, late] = [join(folder, 'both.wav'), join(folder, 'late.wav')]
    await api(`uuid_record ${uuid} start ${both} 60 {${whole},RECORD_STEREO=true}`)
    await api(`uuid_record ${uuid} start ${late}`)
    await sleep(600)
    expect(await api(`uuid_record ${uuid} stop all`)).to.equal('+OK Success\n')
    const [longer, shorter] = [await stopped(both), await stopped(late)]
    expect(Number(longer['variable_record_ms']) - Number(shorter['variable_record_ms'])).to.be.within(
      250,
      5_000,
    )
    const samples = samplesOf(readFileSync(both))
    expect(
      toneLevel(
        samples.filter((_, index) => index % 2 === 0),
        400,
      ),
    ).to.be.greaterThan(0.9)
    expect(samples.every((sample, index) => index % 2 === 0 || sample === 0)).to.equal(true)
  })

  it('end with their limit and with their channel, before its own end is told', async () => {
    const uuid = await fixture.parked()
    const [limited, open] = [join(folder, 'limited.wav'), join(folder, 'open.wav')]
    await api(`uuid_record ${uuid} start ${limited} 1`)
    await fixture.client.execute(uuid, 'record_session', open)
    await stopped(limited)
    await api(`uuid_kill ${uuid}`)
    await fixture.ended(uuid)
    expect(await stopped(open)).to.include({ 'Record-Completion-Cause': 'success-silence' })
    const names = fixture.client.names(uuid)
    expect(names.lastIndexOf('RECORD_STOP')).to.be.lessThan(names.indexOf('CHANNEL_HANGUP_COMPLETE'))
  })

  it('give a caller early media who hears nothing yet', async () => {
    const [, uuid = ''] = /OK (\S+)/.exec(await api('sandbox_call +12025550199 +12025550123')) ?? []
    await fixture.client.event('CHANNEL_PARK', { 'Unique-ID': uuid })
    await api(`uuid_record ${uuid} start ${join(folder, 'early.wav')}`)
    const early = await fixture.client.event('CHANNEL_PROGRESS_MEDIA', { 'Unique-ID': uuid })
    expect(early['Answer-State']).to.equal('early')
    await api(`uuid_kill ${uuid}`)
  })

  it('are refused as FreeSWITCH refuses them', async () => {
    const uuid = await fixture.parked()
    const usage = '-USAGE: <uuid> [start|stop|mask|unmask] <path> [<limit>] [<recording_vars>]\n'
    expect(await api(`uuid_record ${uuid} start`)).to.equal(usage)
    expect(await api(`uuid_record ${uuid} frob /tmp/x.wav`)).to.equal(usage)
    expect(await api(`uuid_record ${uuid} stop /nope`)).to.equal('-ERR Cannot stop record session!\n')
    expect(await api(`uuid_record ${uuid} mask /nope`)).to.equal('-ERR Cannot mask recording session!\n')
    expect(await api(`uuid_record ${uuid} unmask /nope`)).to.equal('-ERR Cannot unmask recording session!\n')
    const nobody = '00000000-0000-0000-0000-000000000000'
    expect(await api(`uuid_record ${nobody} start /tmp/x.wav`)).to.equal('-ERR Cannot locate session!\n')
    expect(await api(`uuid_buglist ${nobody}`)).to.equal('-ERR no reply\n')
  })
})

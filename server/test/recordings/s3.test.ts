/** Recordings in S3: stored, read in ranges, removed, and not lost while it is away. */
import { expect } from 'chai'
import { eventually } from '../support/api-client.js'
import { CallBench } from '../support/call-bench.js'
import { S3 } from '../support/s3.js'
import { recordingIs } from './recorded.js'

describe('recordings in S3 on the sandbox', function () {
  this.timeout(60_000)
  let s3: S3
  let bench: CallBench

  before(async () => {
    s3 = await S3.start()
    bench = await CallBench.start('sandbox', { settings: s3.settings })
  })
  after(async () => {
    await bench?.stop()
    await s3?.stop()
  })

  /** A call that is recorded for a moment; returns its id. */
  async function recordedCall(): Promise<string> {
    const id = await bench.call('+12025550100', [
      { action: 'recording' },
      { action: 'tts', params: { text: 'Good morning.' } },
    ])
    await bench.ended(id)
    return id
  }

  it('are downloaded from there in ranges, and removed from there', async () => {
    const { id, size } = await recordingIs(bench.api, await recordedCall(), 'ready')
    const [key] = await s3.keys()
    expect(key).to.match(new RegExp(`^${bench.workspace.id}/\\d{4}/\\d{2}/${id}\\.wav$`))
    const whole = await bench.api.get(`/recordings/${id}/content`)
    expect(whole.body).to.have.length(size ?? 0)
    const headers = { range: 'bytes=8-11' }
    const part = await bench.api.request('GET', `/recordings/${id}/content`, { headers })
    expect(part.status).to.equal(206)
    expect(part.body.toString()).to.equal('WAVE')
    const before = s3.requests.length
    const head = await bench.api.request('HEAD', `/recordings/${id}/content`)
    expect(head.headers['content-length']).to.equal(String(size))
    expect(s3.requests.length, 'nothing is fetched for it').to.equal(before)
    await bench.api.delete(`/recordings/${id}`)
    await eventually(
      async () => s3.keys(),
      (keys) => keys.length === 0,
      { what: 'empty bucket' },
    )
  })

  it('wait while it is away, however often the server dies, and are stored once it is back', async () => {
    await s3.goAway()
    const call = await recordedCall()
    const waiting = await eventually(
      async () => recordingIs(bench.api, call, 'processing'),
      ({ error }) => error !== null,
      { what: 'reason' },
    )
    expect(waiting.error).to.contain('S3')
    expect((await bench.api.get(`/recordings/${waiting.id}/content`)).status).to.equal(409)
    await bench.appliance.killServer()
    await bench.appliance.startServer()
    await s3.comeBack()
    const ready = await recordingIs(bench.api, call, 'ready', 45_000)
    expect(ready.error).to.equal(null)
    expect(await s3.keys()).to.have.length(1)
    await s3.goAway()
    expect((await bench.api.get(`/recordings/${ready.id}/content`)).status).to.equal(503)
    // What is deleted meanwhile is removed later.
    await bench.api.delete(`/recordings/${ready.id}`)
    await s3.comeBack()
    await eventually(
      async () => s3.keys(),
      (keys) => keys.length === 0,
      { withinMs: 30_000, what: 'empty bucket' },
    )
  })
})

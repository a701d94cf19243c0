/** Recordings of a workspace that keeps as many files as it may: none begins, and the call goes on and says so. */
import { expect } from 'chai'
import { succeed } from '../api/fixtures.js'
import { realestSwitch } from '../support/appliance.js'
import { CallBench } from '../support/call-bench.js'

/** Answers, and stays. */
const called = '+12025550100'

describe('recordings without room', function () {
  this.timeout(60_000)
  let bench: CallBench

  before(async () => (bench = await CallBench.start(await realestSwitch())))
  after(async () => bench?.stop())

  const allow = async (max_storage_mb: number | null) =>
    succeed(bench.appliance.operator.patch(`/workspaces/${bench.workspace.id}`, { max_storage_mb }))
  const kept = async () =>
    (await succeed(bench.appliance.operator.get(`/workspaces/${bench.workspace.id}`))).storage_bytes as number
  const actions = async (id: string) => {
    const { data } = await succeed(bench.api.get(`/calls/${id}/events`))
    return (data as { event: string; details?: Record<string, unknown> }[])
      .filter(({ event }) => event === 'call.action')
      .map(({ details }) => details)
  }
  const script = (first: object) => [
    first,
    { action: 'tts', params: { text: 'Hello.' } },
    { action: 'hangup' },
  ]

  it('are not begun, and the call goes on with its next action', async () => {
    await allow(0)
    for (const [action, params] of [
      ['recording', {}],
      ['voicemail', { max_duration: 2 }],
    ] as const) {
      const id = await bench.call(called, script({ action, params }))
      expect((await bench.ended(id)).status).to.equal('completed')
      const [failed, spoken] = await actions(id)
      expect(failed).to.include({ action, outcome: 'failed' })
      expect(failed?.['problem']).to.match(/there is no room for a recording/)
      expect(spoken).to.include({ action: 'tts', outcome: 'completed' })
    }
    expect((await succeed(bench.api.get('/recordings'))).meta.total).to.equal(0)
  })

  it('count once they are kept, and no more once they are deleted', async () => {
    await allow(null)
    const before = await kept()
    const id = await bench.call(called, script({ action: 'recording', params: {} }))
    await bench.ended(id)
    let recording: { id: string; status: string; size: number | null } | undefined
    for (let tries = 0; tries < 100 && recording?.status !== 'ready'; tries++) {
      ;[recording] = (await succeed(bench.api.get('/recordings'))).data as [typeof recording]
      await new Promise((done) => setTimeout(done, 100))
    }
    expect(recording?.status).to.equal('ready')
    expect(recording?.size).to.be.above(44)
    expect(await kept()).to.equal(before + (recording?.size ?? 0))
    await succeed(bench.api.delete(`/recordings/${recording?.id ?? ''}`))
    expect(await kept()).to.equal(before)
  })
})

/** The programs of the media feature: how many run at once, and whose trouble it is when one fails. */
import { expect } from 'chai'
import { ApiError } from '../../src/http/errors.js'
import { ProgramFailedError, runProgram } from '../../src/media/child-process.js'

const failure = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'no failure',
    (error: unknown) => error,
  )

describe('programs of the media feature', function () {
  this.timeout(30_000)

  it('run four at a time', async () => {
    const spans: [number, number][] = []
    await Promise.all(
      Array.from({ length: 12 }, async () => {
        const printed = await runProgram('sh', ['-c', 'date +%s%N; sleep 0.1; date +%s%N'])
        const [from = 0, to = 0] = printed.trim().split('\n').map(Number)
        spans.push([from, to])
      }),
    )
    const atOnce = spans.map(([start]) => spans.filter(([from, to]) => from <= start && start < to).length)
    expect(Math.max(...atOnce)).to.be.within(2, 4)
  })

  it('wait in a line of 200, and the next is refused with 503', async () => {
    const admitted = Array.from({ length: 204 }, async () => runProgram('true', []))
    const refused = await failure(runProgram('true', []))
    expect(refused).to.be.instanceOf(ApiError)
    expect((refused as ApiError).status).to.equal(503)
    await Promise.all(admitted)
    expect(await runProgram('echo', ['free again'])).to.equal('free again\n')
  })

  it('are killed at their deadline', async () => {
    const started = Date.now()
    const late = await failure(runProgram('sleep', ['20'], { deadlineMs: 200 }))
    expect((late as ApiError).status).to.equal(503)
    expect(Date.now() - started).to.be.below(5_000)
  })

  it('blame what they were given only when they say so themselves', async () => {
    const said = await failure(runProgram('sh', ['-c', 'echo bad input >&2; exit 3']))
    expect(said).to.be.instanceOf(ProgramFailedError)
    expect((said as Error).message).to.equal('sh ended with 3: bad input')
    for (const [command, args] of [
      ['/no/such/program', []],
      ['sh', ['-c', 'kill -9 $$']],
    ] as const) {
      const ours = await failure(runProgram(command, args))
      expect(ours).to.be.instanceOf(Error)
      expect(ours).not.to.be.instanceOf(ProgramFailedError)
      expect(ours).not.to.be.instanceOf(ApiError)
    }
  })
})

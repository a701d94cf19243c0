/** The programs of the media feature: whose turn it is, what bounds them, and whose trouble it is when one fails. */
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { ApiError, RateLimitError } from '../../src/infrastructure/http/errors.js'
import { type ScriptJob, ScriptFailedError, runScript } from '../../src/features/audio/child-process.js'

const failure = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'no failure',
    (error: unknown) => error,
  )
const places = Math.min(8, Math.max(2, availableParallelism()))

describe('programs of the media feature', function () {
  this.timeout(30_000)
  let directory: string
  const upload: ScriptJob = { lane: 'upload', workspaceId: 'ws_a' }

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'jackfield-programs-'))
    // Programs are not root where the test is.
    await chmod(directory, 0o755)
  })
  after(async () => rm(directory, { recursive: true, force: true }))

  /** Runs programs that end when they are let, and tells the order in which they began. */
  function gate() {
    const began: string[] = []
    const path = join(directory, `gate-${Math.random()}`)
    const script = `until [ -e ${path} ]; do sleep 0.02; done`
    const open = async () => writeFile(path, '')
    const hold = async (workspaceId: string, lane: ScriptJob['lane'] = 'upload') =>
      runScript('sh', ['-c', script], { lane, workspaceId }).then(() => began.push(workspaceId))
    return { hold, open, began }
  }

  it('leave a place to other workspaces, however many one of them asks for', async () => {
    const { hold, open } = gate()
    const held = Array.from({ length: places + 5 }, async () => hold('ws_a'))
    expect(await runScript('echo', ['now'], { lane: 'upload', workspaceId: 'ws_b' })).to.equal('now\n')
    await open()
    await Promise.all(held)
  })

  it('are served one workspace after the other when all places are taken', async () => {
    const { hold, open } = gate()
    const held = Array.from({ length: places }, async (_, index) => hold(`ws_held_${index}`))
    const order: string[] = []
    const wanted = [...Array.from({ length: 10 }, () => 'ws_a'), 'ws_b', 'ws_c']
    const waiting = wanted.map(async (workspaceId) =>
      runScript('true', [], { lane: 'upload', workspaceId }).then(() => order.push(workspaceId)),
    )
    await open()
    await Promise.all([...held, ...waiting])
    const last = Math.max(order.indexOf('ws_b'), order.indexOf('ws_c'))
    expect(last, order.join(' ')).to.be.below(3 + places)
  })

  it('have places of their own for live calls', async () => {
    const { hold, open } = gate()
    const lanes = ['upload', 'recording', 'speech'] as const
    const held = lanes.flatMap((lane) =>
      Array.from({ length: places * 2 }, async (_, index) => hold(`ws_${index}`, lane)),
    )
    const spoken = await runScript('echo', ['hello'], { lane: 'live', workspaceId: 'ws_0' })
    expect(spoken).to.equal('hello\n')
    await open()
    await Promise.all(held)
  })

  it('refuse a workspace whose line is full with 429 and a time to come again, and no other', async () => {
    const { hold, open } = gate()
    const held = Array.from({ length: places - 1 + 50 }, async () => hold('ws_a'))
    const refused = await failure(runScript('true', [], upload))
    expect(refused).to.be.instanceOf(RateLimitError)
    expect((refused as RateLimitError).retryAfter).to.be.above(0)
    expect(await runScript('echo', ['free'], { ...upload, workspaceId: 'ws_b' })).to.equal('free\n')
    await open()
    await Promise.all(held)
    expect(await runScript('echo', ['free again'], upload)).to.equal('free again\n')
  })

  it('are killed at their deadline', async () => {
    const started = Date.now()
    const late = await failure(runScript('sleep', ['20'], { ...upload, deadlineMs: 200 }))
    expect((late as ApiError).status).to.equal(503)
    expect(Date.now() - started).to.be.below(5_000)
  })

  it('have bounds of memory and processor time, cannot become another user, and are never root', async () => {
    const shown = await runScript('sh', ['-c', 'cat /proc/self/limits /proc/self/status; nice'], upload)
    expect(shown).to.match(/Max address space +1073741824/)
    expect(shown).to.match(/Max cpu time +30/)
    expect(shown).to.match(/Max core file size +0/)
    expect(shown).to.match(/NoNewPrivs:\s+1/)
    expect(shown).not.to.match(/Uid:\s+0/)
    expect(Number(shown.trim().split('\n').at(-1)), 'niceness').to.be.at.least(10)
    const hungry = ['-c', 'head -c 3000000000 /dev/zero | tail -c 2999999999 > /dev/null']
    expect(await failure(runScript('sh', hungry, upload))).to.be.instanceOf(Error)
  })

  it('see their files and no others', async () => {
    const [from, to] = [join(directory, 'from'), join(directory, 'to')]
    await writeFile(from, 'content', { mode: 0o600 })
    const copy = 'cat < /dev/stdin > /dev/stdout'
    await runScript('sh', ['-c', copy], { ...upload, input: { file: from }, output: { file: to } })
    expect(await readFile(to, 'utf8')).to.equal('content')
    if (process.getuid?.() !== 0) return
    const refused = await failure(runScript('cat', [from], upload))
    expect((refused as Error).message).to.match(/Permission denied/)
  })

  it('blame what they were given only when they say so themselves', async () => {
    const said = await failure(runScript('sh', ['-c', 'echo bad input >&2; exit 3'], upload))
    expect(said).to.be.instanceOf(ScriptFailedError)
    expect((said as Error).message).to.equal('sh ended with 3: bad input')
    for (const [command, args] of [
      ['/no/such/program', []],
      ['sh', ['-c', 'kill -9 $$']],
    ] as const) {
      const ours = await failure(runScript(command, args, upload))
      expect(ours).to.be.instanceOf(Error)
      expect(ours).not.to.be.instanceOf(ScriptFailedError)
      expect(ours).not.to.be.instanceOf(ApiError)
    }
  })
})

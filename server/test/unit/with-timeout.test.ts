import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect } from 'chai'
import { withTimeout } from '../../src/lib/with-timeout.js'

/** Settles when the signal is aborted, and never otherwise. */
const untilAborted = async (signal: AbortSignal) =>
  new Promise<string>((resolve) => {
    const done = () => resolve('aborted')
    signal.addEventListener('abort', done)
    if (signal.aborted) done()
  })

describe('within', () => {
  const never = new AbortController()

  it('answers what is done in time, and aborts what is not, also when memory is collected meanwhile', async () => {
    expect(await withTimeout(5_000, never.signal, async () => Promise.resolve('done'))).to.equal('done')
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const late = withTimeout(100, never.signal, untilAborted)
    collect()
    await sleep(10)
    collect()
    expect(await late).to.equal('aborted')
  })

  it('ends with the signal, also one that is aborted already', async () => {
    const given = new AbortController()
    const running = withTimeout(60_000, given.signal, untilAborted)
    given.abort()
    expect(await running).to.equal('aborted')
    expect(await withTimeout(60_000, given.signal, untilAborted)).to.equal('aborted')
  })
})

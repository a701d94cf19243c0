/** Which rows of a list are chosen, and work for each of them, without a browser. */
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { runnerImport } from 'vite'

interface Chosen {
  rows: ReadonlyMap<string, string>
  anchor: string | null
}

type KeyOf = (row: string) => string

interface Model {
  noneChosen: Chosen
  mostChosen: number
  afterClick: (chosen: Chosen, page: string[], keyOf: KeyOf, key: string, isRange: boolean) => Chosen
  afterPage: (chosen: Chosen, page: string[], keyOf: KeyOf) => Chosen
  pageState: (chosen: Chosen, page: string[], keyOf: KeyOf) => string
}

interface Parallel {
  forEachRow: (
    rows: number[],
    run: (row: number) => Promise<unknown>,
    options?: { progress?: (done: number) => void; signal?: AbortSignal },
  ) => Promise<{ failures: { row: number; error: Error }[]; untried: number[] }>
}

const itself: KeyOf = (row) => row
const page = ['a', 'b', 'c', 'd', 'e']
const source = async <T>(path: string) =>
  (await runnerImport<T>(fileURLToPath(new URL(`../../src/${path}`, import.meta.url)))).module

describe('Rows that are chosen', () => {
  let model: Model
  before(async () => {
    model = await source<Model>('design/choosing.ts')
  })
  const clicks = (...keys: string[]) =>
    keys.reduce(
      (chosen, key) => model.afterClick(chosen, page, itself, key.replace('+', ''), key.startsWith('+')),
      model.noneChosen,
    )
  const keysOf = ({ rows }: Chosen) => [...rows.keys()].sort().join('')

  it('are one, none, and with Shift all from the one before, either way', () => {
    expect(keysOf(clicks('b'))).to.equal('b')
    expect(keysOf(clicks('b', 'b'))).to.equal('')
    expect(keysOf(clicks('b', '+d'))).to.equal('bcd')
    expect(keysOf(clicks('d', '+b'))).to.equal('bcd')
    expect(keysOf(clicks('a', '+e', 'c', '+d')), 'a range gets what its last row gets').to.equal('abe')
    expect(keysOf(clicks('+c'))).to.equal('c')
  })

  it('are all of a page, beside those of other pages, and not more than there may be', () => {
    const both = model.afterPage(clicks('a'), ['x', 'y'], itself)
    expect(keysOf(both)).to.equal('axy')
    expect(model.pageState(both, ['x', 'y'], itself)).to.equal('all')
    expect(model.pageState(both, page, itself)).to.equal('some')
    expect(keysOf(model.afterPage(both, ['x', 'y'], itself))).to.equal('a')
    const many = Array.from({ length: model.mostChosen + 1 }, (_, index) => String(index))
    expect(model.afterPage(model.noneChosen, many, itself).rows.size).to.equal(model.mostChosen)
  })

  it('are worked on a few at a time: what fails stops no other, and what is stopped is not tried', async () => {
    const { forEachRow } = await source<Parallel>('api/in-parallel.ts')
    let [running, most, done] = [0, 0, 0]
    const rows = Array.from({ length: 20 }, (_, index) => index)
    const run = async (row: number) => {
      most = Math.max(most, ++running)
      await sleep(1)
      running--
      if (row === 3) throw new Error('no')
    }
    const { failures, untried } = await forEachRow(rows, run, { progress: (now) => (done = now) })
    expect(failures.map(({ row }) => row)).to.deep.equal([3])
    expect({ untried, most, done }).to.deep.equal({ untried: [], most: 4, done: 20 })
    const stop = new AbortController()
    const stopped = await forEachRow(rows, async (row) => row === 2 && stop.abort(), { signal: stop.signal })
    expect(stopped.untried.length).to.be.within(14, 17)
  })
})

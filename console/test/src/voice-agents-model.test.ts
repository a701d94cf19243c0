/** Forms and transcripts of voice agents, without a browser. */
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { runnerImport } from 'vite'

interface Pages {
  allLines: (
    known: readonly number[],
    ask: (page: number) => Promise<{ data: number[]; meta: { total_pages: number } }>,
  ) => Promise<number[]>
}

interface Twice {
  isTwice: (names: readonly string[], path: string) => boolean
}

interface Theirs {
  conflictsIn: (ours: object, before: object, theirs: object) => string[]
}

const partOf = async <Module>(path: string): Promise<Module> => {
  const file = fileURLToPath(new URL(`../../src/features/voice-agents/${path}.ts`, import.meta.url))
  return (await runnerImport<Module>(file, { logLevel: 'error', configFile: false })).module
}

describe('the model of voice agents', () => {
  it('should have all lines of a long talk, and ask for the full pages once', async () => {
    const { allLines } = await partOf<Pages>('transcript-lines')
    const told = (count: number) => Array.from({ length: count }, (_, index) => index)
    const asked: number[] = []
    const having = (count: number) => async (page: number) => {
      asked.push(page)
      const data = told(count).slice((page - 1) * 100, page * 100)
      return Promise.resolve({ data, meta: { total_pages: Math.ceil(count / 100) } })
    }
    expect(await allLines([], having(0))).to.deep.equal([])
    expect(await allLines([], having(250))).to.deep.equal(told(250))
    expect(asked.splice(0)).to.deep.equal([1, 1, 2, 3])
    expect(await allLines(told(200), having(201))).to.deep.equal(told(201))
    expect(asked.splice(0)).to.deep.equal([2, 3])
  })

  it('should refuse the second row of a name', async () => {
    const { isTwice } = await partOf<Twice>('../../design/twice')
    const names = ['a', 'b', 'a', '', '']
    expect(names.map((_, index) => isTwice(names, `headers.${index}.name`))).to.deep.equal([
      ...[false, false, true, false, false],
    ])
  })

  it('should ask where somebody else has changed the same setting to something else', async () => {
    const { conflictsIn } = await partOf<Theirs>('components/use-theirs')
    const before = { a: 1, b: [1], c: 'x', d: 0 }
    expect(
      conflictsIn({ ...before, a: 2, b: [2], c: 'y' }, before, { a: 3, b: [2], c: 'x', d: 9 }),
    ).to.deep.equal(['a'])
  })
})

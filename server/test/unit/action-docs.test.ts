/** The table of call actions in the documentation, compared with the actions that the API takes. */
import { readFile } from 'node:fs/promises'
import { expect } from 'chai'
import { allActions } from '../../src/features/calls/script/actions/index.js'
import { pathOf } from '../support/paths.js'

const page = pathOf('docs/calls/making-calls.md')

/** Texts in backquotes. */
const codes = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code!)

describe('docs/calls/making-calls.md', () => {
  it('names every call action', async () => {
    const text = await readFile(page, 'utf8')
    const [, section = ''] = /^## Actions$([^]*?)^##+ /m.exec(text) ?? []
    const rows = section.split('\n').filter((line) => line.startsWith('| `'))
    const named = rows.flatMap((line) => codes(line.split('|')[1] ?? ''))
    expect(named.sort()).to.deep.equal(allActions.map(({ name }) => name).sort())
  })
})

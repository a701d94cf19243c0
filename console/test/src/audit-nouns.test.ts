/** The console has a word for everything that the audit log names. */
import { readFile, readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/**
 * The nouns of what the server audits: `agent` of `audited: 'agent'`, `call` of `audited: 'call.export'`, `address_book` of
 * `noun: 'address book'` in the description of a resource.
 */
async function auditedNouns(): Promise<Set<string>> {
  const folder = `${root}server/src/`
  const files = (await readdir(folder, { recursive: true })).filter((path) => path.endsWith('.ts'))
  const sources = await Promise.all(files.map(async (path) => readFile(folder + path, 'utf8')))
  const own = sources.flatMap((source) => [...source.matchAll(/audited: '([a-z_]+)/g)])
  const described = sources.flatMap((source) => [...source.matchAll(/\bresource\(\{[^]*?noun: '([^']+)/g)])
  return new Set([...own, ...described].map(([, noun]) => noun!.toLowerCase().replaceAll(' ', '_')))
}

describe('The audit log’s words in the console', () => {
  it('should name every kind of thing that the server audits', async () => {
    const nouns = await auditedNouns()
    expect(nouns.size).to.be.greaterThan(20)
    const actions = await readFile(`${root}console/src/features/audit-log/actions.ts`, 'utf8')
    const named = new Set([...actions.matchAll(/'([a-z_]+)'/g)].map(([, word]) => word))
    expect(
      [...nouns].filter((noun) => !named.has(noun)),
      'nouns that console/src/features/audit-log/actions.ts lacks',
    ).to.deep.equal([])
  })
})

import { readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { expect } from 'chai'

const app = fileURLToPath(new URL('../../dist/app/', import.meta.url))

/** An entry of Vite's manifest. */
interface Chunk {
  file: string
  isEntry?: boolean
  imports?: string[]
  dynamicImports?: string[]
  css?: string[]
}

/** Over plain HTTP browsers take gzip alone; brotli, over TLS, saves a seventh of it. `session.test.ts` looks at the wire. */
const firstPageBytes = 210_000
const otherPageBytes = 390_000

/** Files that a browser asks for, beside those of the API. */
const firstPageFiles = 8
const otherPageFiles = 32

/** Pages that draw flows bring what draws them: that is for them alone. Charts come after their page. */
const drawing = /flow-page/

describe('The console’s bundle', () => {
  const manifest = JSON.parse(readFileSync(`${app}.vite/manifest.json`, 'utf8')) as Record<string, Chunk>

  /** Everything that a chunk needs before it runs. */
  function neededBy(name: string, known = new Set<string>()): Set<string> {
    const chunk = manifest[name]
    if (!chunk || known.has(name)) return known
    known.add(name)
    for (const one of chunk.imports ?? []) neededBy(one, known)
    return known
  }

  function filesOf(names: ReadonlySet<string>): ReadonlySet<string> {
    return new Set([...names].flatMap((name) => [manifest[name]?.file ?? '', ...(manifest[name]?.css ?? [])]))
  }

  const packed = new Map<string, number>()

  function bytesOf(files: ReadonlySet<string>): number {
    return [...files].reduce((sum, file) => {
      const bytes = packed.get(file) ?? gzipSync(readFileSync(app + file)).length
      packed.set(file, bytes)
      return sum + bytes
    }, 0)
  }

  const entry = neededBy('index.html')
  const pages = Object.keys(manifest).filter((name) => /\/pages\/[^/]+-page\.tsx$/.test(name))

  it('should have pages', () => {
    expect(manifest['index.html']?.isEntry).to.equal(true)
    expect(pages).to.include('src/session/pages/sign-in-page.tsx')
  })

  it('should bring the first page, that of signing in, in 210 kB and few files', () => {
    const files = filesOf(new Set([...entry, ...neededBy('src/session/pages/sign-in-page.tsx')]))
    expect(bytesOf(files)).to.be.below(firstPageBytes)
    expect(files.size).to.be.at.most(firstPageFiles)
  })

  it('should bring any other page, with all that is around it, in little more', () => {
    const parts = Object.keys(manifest).filter((name) => /^_parts-.*\.js$/.test(name))
    expect(parts).to.have.lengthOf(1)
    const around = ['src/app/shell.tsx', 'src/design/notices.tsx', ...parts].flatMap((name) => [
      ...neededBy(name),
    ])
    for (const page of pages.filter((name) => !drawing.test(name))) {
      const files = filesOf(new Set([...entry, ...around, ...neededBy(page)]))
      expect(bytesOf(files), page).to.be.below(otherPageBytes)
      expect(files.size, page).to.be.at.most(otherPageFiles)
    }
  })

  it('should bring texts of other languages than English only to those who read them', () => {
    const german = manifest['src/i18n/german.ts']
    expect(german?.file).to.be.a('string')
    const needed = ['index.html', ...pages].flatMap((page) => [...neededBy(page)])
    expect(needed).not.to.include('src/i18n/german.ts')
    const code = readdirSync(`${app}assets`)
      .filter((name) => name.endsWith('.js') && !german?.file.endsWith(name))
      .map((name) => readFileSync(`${app}assets/${name}`, 'utf8'))
      .join('')
    // “Delete”, in every form and list.
    expect(readFileSync(app + (german?.file ?? ''), 'utf8')).to.include('Löschen')
    expect(code).not.to.include('Löschen')
  })

  it('should not bring what draws to those who see no drawing', () => {
    const code = [...entry].map((name) => readFileSync(app + (manifest[name]?.file ?? ''), 'utf8')).join('')
    for (const word of ['react-flow__', 'recharts-', 'wavesurfer']) expect(code).not.to.include(word)
  })

  it('should bring the styles of every component of the library that it brings', () => {
    const assets = readdirSync(`${app}assets`)
    const textOf = (end: string) =>
      assets
        .filter((name) => name.endsWith(end))
        .map((name) => readFileSync(`${app}assets/${name}`, 'utf8'))
        .join('')
    const css = textOf('.css')
    const used = new Set(textOf('.js').match(/\bm_[0-9a-f]{6,8}\b/g))
    const known = readFileSync(fileURLToPath(import.meta.resolve('@mantine/core/styles.layer.css')), 'utf8')
    const styled = [...used].filter((name) => known.includes(`.${name}`))
    expect(styled).to.have.length.above(100)
    expect(styled.filter((name) => !css.includes(name))).to.eql([])
  })
})

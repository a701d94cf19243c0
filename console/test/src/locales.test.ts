/** What translators write: each language has all texts, with the same placeholders and its own plural forms. */
import { readFileSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { runnerImport } from 'vite'

const source = fileURLToPath(new URL('../../src/', import.meta.url))

type Table = Record<string, string>

/** A text with its plural forms; one without has the form ''. */
type Forms = Map<string, string>

const forms = /^(.+)_(zero|one|two|few|many|other)$/

function textsOf(table: Table, english: Table): Map<string, Forms> {
  const texts = new Map<string, Forms>()
  for (const [key, text] of Object.entries(table)) {
    const [, base, form] = forms.exec(key) ?? []
    // `no_one` is a plural form only where there is a `no_other`.
    const isForm = base !== undefined && `${base}_other` in english
    const [name, as] = isForm ? [base, form!] : [key, '']
    texts.set(name, (texts.get(name) ?? new Map<string, string>()).set(as, text))
  }
  return texts
}

const placeholdersOf = (text: Forms) =>
  [...new Set([...text.values()].flatMap((form) => form.match(/{{[^}]*}}/g) ?? []))].sort()

/** Flat tables by their group; those of a file without groups as ''. */
function tablesOf(path: string): Map<string, Table> {
  const file = JSON.parse(readFileSync(path, 'utf8')) as Record<string, string | Table>
  const groups = Object.entries(file).filter(
    (entry): entry is [string, Table] => typeof entry[1] !== 'string',
  )
  if (groups.length === 0) return new Map([['', file as Table]])
  expect(groups.length, `${path} has texts beside its groups`).to.equal(Object.keys(file).length)
  return new Map(groups)
}

const entries = readdirSync(source, { recursive: true, encoding: 'utf8' })
const folders = entries.filter((path) => path.endsWith('locales')).map((path) => join(source, path))
const languages = [...new Set(folders.flatMap((folder) => readdirSync(folder)))]
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.replace('.json', ''))
const common = languages.map((language) =>
  tablesOf(join(source, 'i18n/locales', `${language}.json`)).get('common'),
)

describe('The console’s texts', () => {
  it('should be there in English and German', () => {
    expect(languages).to.include.members(['en', 'de'])
    expect(folders).to.have.length.above(30)
  })

  it('should be found in a language that is loaded by the names under which English is', async () => {
    const options = { root: join(source, '..'), configFile: false, logLevel: 'error' } as const
    const load = async <Module>(path: string) =>
      (await runnerImport<Module>(join(source, path), options)).module
    const { default: german } = await load<{ default: object }>('i18n/german.ts')
    const { tablesOf: read } = await load<{ tablesOf: (files: object) => { namespace: string }[] }>(
      'i18n/tables.ts',
    )
    const names = folders.flatMap((folder) => {
      const groups = [...tablesOf(join(folder, 'en.json')).keys()]
      return groups.map((group) => [folder.split('/').at(-2), group].filter(Boolean).join('/'))
    })
    expect(read(german).map(({ namespace }) => namespace)).to.have.members(names)
  })

  it('should be in features whose folders have different names', () => {
    const names = folders.map((folder) => folder.split('/').at(-2))
    expect(names).to.have.length(new Set(names).size)
  })

  it('should be defined with the name of the folder, by which other languages are found', () => {
    for (const path of entries.filter((name) => /\.tsx?$/.test(name))) {
      const code = readFileSync(join(source, path), 'utf8')
      const [, name] = /\bdefineText(?:s|Groups)\('([^']*)'/.exec(code) ?? []
      if (name !== undefined) expect(name, path).to.equal(join(source, path).split('/').at(-2))
    }
  })

  for (const folder of folders) {
    const place = relative(source, folder)
    const english = tablesOf(join(folder, 'en.json'))
    for (const language of languages) {
      it(`should be whole in ${language}: ${place}`, () => {
        const tables = tablesOf(join(folder, `${language}.json`))
        expect([...tables.keys()], 'groups').to.have.members([...english.keys()])
        const plurals = new Intl.PluralRules(language).resolvedOptions().pluralCategories
        for (const [group, table] of tables) {
          const own = textsOf(table, english.get(group)!)
          const wanted = textsOf(english.get(group)!, english.get(group)!)
          expect([...own.keys()], `texts of ${group}`).to.have.members([...wanted.keys()])
          for (const [key, text] of own) {
            const at = `${group} ${key}`
            const isPlural = wanted.get(key)!.has('other')
            expect([...text.keys()], `plural forms of ${at}`).to.have.members(isPlural ? plurals : [''])
            expect(placeholdersOf(text), `placeholders of ${at}`).to.eql(placeholdersOf(wanted.get(key)!))
            expect(
              [...text.values()].map((form) => form.trim()),
              at,
            ).not.to.include('')
          }
        }
      })
    }

    it(`should not say again what all features share: ${place}`, () => {
      if (place.startsWith('i18n')) return
      const tables = languages.map((language) => tablesOf(join(folder, `${language}.json`)))
      for (const [group, table] of english) {
        const repeated = Object.keys(table).filter((key) =>
          tables.every((own, at) => own.get(group)?.[key] === common[at]?.[key]),
        )
        expect(repeated, `words of i18n/locales, in ${group}`).to.eql([])
      }
    })
  }
})

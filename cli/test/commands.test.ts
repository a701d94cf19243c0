/** Every command: what it tells of itself, and whether its examples are command lines that it takes. */
import { execFileSync } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Command, Config, Flags, Parser } from '@oclif/core'
import { expect } from 'chai'
import type { ListCommand } from '../src/lib/list-command.js'
import { commandsIn, wordsOf } from './command-lines.js'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const read = (path: string) => readFileSync(`${root}${path}`, 'utf8')

interface Document {
  paths: Record<string, { get?: { parameters?: { name: string; in: string; schema: Schema }[] } }>
}
interface Schema {
  enum?: string[]
  description?: string
}

interface Topics {
  [name: string]: { description?: string; subtopics?: Topics }
}

/** Topics stand below one another, or by their whole name: `operator:cells`. */
function descriptionOf(topics: Topics, words: readonly string[]): string | undefined {
  const [first = '', ...rest] = words
  const below = topics[first]?.subtopics
  const nested = rest.length > 0 && below ? descriptionOf(below, rest) : undefined
  return nested ?? topics[words.join(':')]?.description
}

describe('commands', function () {
  this.timeout(30_000)
  const commands = new Map<string, Command.Class>()
  let config: Config

  before(async () => {
    config = await Config.load(`${root}cli`)
    for (const command of config.commands.filter(({ pluginName }) => pluginName === 'jackfield-cli')) {
      commands.set(command.id.replaceAll(':', ' '), await command.load())
    }
  })

  /** Parses a command line as the program would, without running it. */
  async function parse(line: string): Promise<void> {
    const words = wordsOf(line)
    const id = [3, 2, 1].map((count) => words.slice(0, count).join(' ')).find((name) => commands.has(name))
    const command = commands.get(id ?? '')
    if (!command || id === undefined) throw new Error(`there is no command ${line}`)
    const flags = { ...Command.baseFlags, ...command.baseFlags, ...command.flags }
    const argv = words.slice(id.split(' ').length)
    await Parser.parse(argv, { args: command.args, flags: { ...flags, json: Flags.boolean() }, strict: true })
  }

  it('have a summary, and examples that they take', async () => {
    expect(commands.size).to.be.greaterThan(30)
    for (const [name, command] of commands) {
      expect(command.summary, name).to.be.a('string').and.not.match(/\.$/)
      const examples = (command.examples ?? []) as string[]
      expect(examples, name).to.not.be.empty
      for (const example of examples) {
        expect(example, name).to.match(new RegExp(`^<%= config.bin %> ${name}( |$)`))
        await parse(example.replace('<%= config.bin %> ', ''))
      }
    }
  })

  it('have topics that are described', () => {
    // oclif describes a topic without a description by the summary of its first command.
    const { oclif } = JSON.parse(read('cli/package.json')) as { oclif: { topics: Topics } }
    for (const [name] of commands) {
      const topics = name.split(' ').slice(0, -1)
      for (const [depth] of topics.entries()) {
        const words = topics.slice(0, depth + 1)
        const description = descriptionOf(oclif.topics, words)
        expect(description, `topic ${words.join(' ')} in cli/package.json`).to.be.a('string')
      }
    }
  })

  it('take the command lines of all documentation', async () => {
    const names = readdirSync(`${root}docs`, { recursive: true, encoding: 'utf8' })
    const pages = ['README.md', ...names.filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`)]
    const lines = pages.flatMap((page) => commandsIn(read(page)).map((line) => ({ page, line })))
    expect(lines).to.not.be.empty
    for (const { page, line } of lines) {
      await parse(line).catch((error: unknown) => {
        throw new Error(`${page}: jackfield ${line}: ${(error as Error).message}`)
      })
    }
  })

  it('list as the API’s document says that it sorts, filters and searches', () => {
    const document = JSON.parse(
      execFileSync(process.execPath, [`${root}server/dist/src/bin/print-openapi.js`], {
        encoding: 'utf8',
        maxBuffer: 16_000_000, // it has more than the 1 MB that Node takes by itself
      }),
    ) as Document
    const paging = ['page', 'limit', 'search', 'sort_field', 'sort_order']
    const lists = [...commands].filter(([, command]) => 'list' in command)
    expect(lists.length).to.be.greaterThan(6)
    for (const [name, command] of lists) {
      const { list } = command as ListCommand
      const parameters = document.paths[list.path]?.get?.parameters?.filter((one) => one.in === 'query') ?? []
      const schemaOf = (parameter: string) => parameters.find((one) => one.name === parameter)?.schema
      expect([...list.sortFields].sort(), name).to.deep.equal(
        [...(schemaOf('sort_field')?.enum ?? [])].sort(),
      )
      const filters = parameters.map((one) => one.name).filter((parameter) => !paging.includes(parameter))
      expect([...list.filters].sort(), name).to.deep.equal(filters.sort())
      const searchable = /^(?!Not searchable)/.test(schemaOf('search')?.description ?? 'Not searchable')
      expect(list.search, name).to.equal(searchable)
    }
  })
})

/** A workspace on a server, whose commands are held against snapshots. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Program } from './program.js'
import { expectSnapshot } from './snapshots.js'

export const inAcme = ['--workspace', 'acme']

/** A carrier's; nobody listens there. */
export const smsc = [
  '--host',
  '127.0.0.1',
  '--port',
  '9',
  '--system-id',
  'jackfield',
  '--password',
  'bindword',
]

type Answer = Record<string, any>

export interface Acme {
  /** From the first `before` on. */
  readonly program: Program
  /** Runs a command in the workspace with --json. @returns its answer */
  readonly json: (...args: string[]) => Promise<Answer>
  /** The same, and holds the answer against its snapshot, which is named after the command. */
  readonly shown: (command: string, ...args: string[]) => Promise<Answer>
  /** The same of a command that is the operator's. */
  readonly operators: (command: string, ...args: string[]) => Promise<Answer>
  /** Writes a file. @returns its path */
  readonly file: (name: string, content: string) => Promise<string>
}

/** Starts a server with the workspace before the tests of a `describe`, and stops it after them. */
export function useAcme(): Acme {
  let program: Program

  before(async () => {
    program = await Program.start()
    await program.json('workspace', 'create', 'acme', '--title', 'Acme', '--country', 'US')
  })
  after(async () => program?.stop())

  const operators = async (command: string, ...args: string[]) => {
    const answer = await program.json(...command.split(' '), ...args)
    expectSnapshot(command.replaceAll(' ', '-'), answer)
    return answer
  }
  return {
    get program() {
      return program
    },
    json: async (...args) => program.json(...args, ...inAcme),
    shown: async (command, ...args) => operators(command, ...args, ...inAcme),
    operators,
    async file(name, content) {
      const path = join(program.home, name)
      await writeFile(path, content)
      return path
    },
  }
}

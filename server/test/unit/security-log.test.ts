/** The file of what concerns security: it is put aside by its own size, and none of its lines is lost. */
import { chmod, mkdtemp, readFile, readdir, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { pino } from 'pino'
import { SecurityLog } from '../../src/infrastructure/observability/security-log.js'
import { eventually } from '../support/api-client.js'

const maxBytes = 2_000

describe('the security log', () => {
  let folder: string
  let path: string
  const open: SecurityLog[] = []
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'jackfield-security-log-'))
    path = join(folder, 'log', 'security.log')
  })
  afterEach(async () => {
    for (const log of open.splice(0)) log.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const start = () => {
    const log = new SecurityLog(path, maxBytes, pino({ level: 'silent' }), { checkMs: 5 })
    open.push(log)
    return log.logger
  }
  const files = async () => (await readdir(join(folder, 'log'))).sort()
  const numbersIn = async (name: string) =>
    (await readFile(join(folder, 'log', name), 'utf8'))
      .split('\n')
      .filter(Boolean)
      .map((line) => (JSON.parse(line) as { number: number }).number)
  /** Writes lines until the file is put aside. @returns the number after the last one */
  const fill = async (logger: ReturnType<typeof start>, first: number) => {
    const inode = (await stat(path)).ino
    let number = first
    for (; (await stat(path)).size < maxBytes; number++) logger.info({ number }, 'security')
    await eventually(
      async () => stat(path).catch(() => null),
      (now) => now !== null && now.ino !== inode,
      { what: 'a new file' },
    )
    return number
  }

  it('is put aside when it is full, the youngest as .1, and its files are not for everybody', async () => {
    const logger = start()
    const second = await fill(logger, 0)
    const third = await fill(logger, second)
    logger.info({ number: third }, 'security')
    expect(await files()).to.deep.equal(['security.log', 'security.log.1', 'security.log.2'])
    const all = [
      ...(await numbersIn('security.log.2')),
      ...(await numbersIn('security.log.1')),
      ...(await numbersIn('security.log')),
    ]
    expect(all, 'each line once, in order').to.deep.equal([...Array(third + 1).keys()])
    expect((await numbersIn('security.log.1'))[0]).to.equal(second)
    for (const name of await files()) {
      const { mode } = await stat(join(folder, 'log', name))
      expect(mode & 0o007, name).to.equal(0)
    }
  })

  it('keeps nine old files, and lets the oldest go', async () => {
    const logger = start()
    let number = 0
    const firsts: number[] = []
    for (let file = 0; file < 11; file++) {
      firsts.push(number)
      number = await fill(logger, number)
    }
    const old = Array.from({ length: 9 }, (_, index) => `security.log.${index + 1}`)
    expect(await files()).to.deep.equal(['security.log', ...old])
    expect((await numbersIn('security.log.9'))[0]).to.equal(firsts[2])
    expect((await numbersIn('security.log.1'))[0]).to.equal(firsts[10])
  })

  it('goes on in the new file where another server, or somebody, has put it aside or removed it', async () => {
    const [one, other] = [start(), start()]
    one.info({ number: 0 }, 'security')
    other.info({ number: 1 }, 'security')
    const next = await fill(one, 2)
    await eventually(
      async () => {
        other.info({ number: next }, 'security')
        return numbersIn('security.log')
      },
      (numbers) => numbers.includes(next),
      { what: 'lines of the other server in the new file' },
    )
    expect((await numbersIn('security.log.1')).slice(0, 2)).to.deep.equal([0, 1])
    await rename(path, join(folder, 'taken.log'))
    await eventually(
      async () => {
        one.info({ number: next + 1 }, 'security')
        const there = (await files()).includes('security.log')
        return there ? numbersIn('security.log') : ([] as number[])
      },
      (numbers) => numbers.includes(next + 1),
      { what: 'lines in a file that is made again' },
    )
  })

  it('is tried again, and ends nothing, while its folder cannot be written', async function () {
    // Root writes everywhere.
    if (process.getuid?.() === 0) this.skip()
    const logger = start()
    await chmod(join(folder, 'log'), 0o500)
    for (let number = 0; (await stat(path)).size < maxBytes; number++) logger.info({ number }, 'security')
    await chmod(join(folder, 'log'), 0o700)
    await eventually(
      async () => files(),
      (names) => names.includes('security.log.1'),
    )
  })

  it('is in the log of the server where no file is named', () => {
    const lines: string[] = []
    const server = pino({}, { write: (line: string) => void lines.push(line) })
    new SecurityLog('', maxBytes, server).logger.info({ action: 'agent.login' }, 'security')
    expect(lines.map((line) => JSON.parse(line) as object)[0]).to.include({
      log: 'security',
      action: 'agent.login',
    })
  })
})

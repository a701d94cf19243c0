/** Where the log goes, also to a disk that is full: /dev/full, to which nothing can be written. */
import { execFile } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { pino } from 'pino'
import { logDestination } from '../../src/infrastructure/observability/log-destination.js'

describe('the log', () => {
  it('does not end the server when its disk is full', async () => {
    const fd = openSync('/dev/full', 'w')
    const destination = logDestination(fd)
    const errors: (string | undefined)[] = []
    destination.on('error', ({ code }: NodeJS.ErrnoException) => errors.push(code))
    const log = pino({}, destination)
    try {
      for (let line = 0; line < 3; line++) {
        log.info('hello')
        await sleep(30)
      }
      expect(errors).to.have.length.above(2)
      expect([...new Set(errors)]).to.deep.equal(['ENOSPC'])
    } finally {
      closeSync(fd)
    }
  })

  it('has all lines in their order, a moment later', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'jackfield-log-'))
    const fd = openSync(join(folder, 'log'), 'w')
    try {
      const log = pino({ base: null, timestamp: false }, logDestination(fd))
      const lines = Array.from({ length: 1_000 }, (_, line) => ({ line, text: 'x'.repeat(line % 200) }))
      for (const line of lines) {
        log.info(line)
        if (line.line % 100 === 0) await sleep(5)
      }
      await sleep(100)
      const written = readFileSync(join(folder, 'log'), 'utf8').trimEnd().split('\n')
      expect(written.map((line) => JSON.parse(line) as object)).to.deep.equal(
        lines.map((line) => ({ level: 30, ...line })),
      )
    } finally {
      closeSync(fd)
      rmSync(folder, { recursive: true })
    }
  })

  for (const end of ['process.exit(3)', 'throw new Error("it crashes")', 'process.exitCode = 4'])
    it(`has the last line of a process that ends by ${end}`, async () => {
      const module = new URL('../../src/infrastructure/observability/log-destination.js', import.meta.url)
      const script = `import { pino } from 'pino'
        import { logDestination } from '${module.href}'
        pino({}, logDestination()).info('the last line')
        ${end}`
      const options = { cwd: new URL('../../..', import.meta.url) }
      const args = ['--input-type=module', '--eval', script]
      const output = await new Promise<string>((resolve) => {
        execFile(process.execPath, args, options, (_, stdout) => resolve(stdout))
      })
      expect(output).to.include('the last line')
    })
})

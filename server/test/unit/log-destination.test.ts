/** The log on a disk that is full: /dev/full, to which nothing can be written. */
import { closeSync, openSync } from 'node:fs'
import { expect } from 'chai'
import { pino } from 'pino'
import { logDestination } from '../../src/infrastructure/observability/log-destination.js'

describe('the log', () => {
  it('does not end the server when its disk is full', () => {
    const fd = openSync('/dev/full', 'w')
    const destination = logDestination(fd)
    const errors: (string | undefined)[] = []
    destination.on('error', ({ code }: NodeJS.ErrnoException) => errors.push(code))
    const log = pino({}, destination)
    try {
      for (let line = 0; line < 3; line++) log.info('hello')
      expect(errors).to.have.length.above(2)
      expect([...new Set(errors)]).to.deep.equal(['ENOSPC'])
    } finally {
      closeSync(fd)
    }
  })
})

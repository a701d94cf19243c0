/** What the operator does to maintain the platform, on the command line. */
import { expect } from 'chai'
import { Program } from './program.js'

describe('commands of maintenance', function () {
  this.timeout(120_000)
  let program: Program

  before(async () => {
    program = await Program.start()
  })
  after(async () => program?.stop())

  it('drain the platform until no call lives, and take calls again', async () => {
    const waited = await program.run(['operator', 'drain', '--wait'])
    expect(waited).to.include({ code: 0 })
    expect(waited.stdout).to.equal('No new calls are taken, and none lives.\n')
    expect((await program.run(['operator', 'drain', '--look'])).stdout).to.equal(waited.stdout)
    expect((await program.run(['operator', 'undrain'])).stdout).to.equal('Calls are taken. 0 calls live.\n')
  })

  it('drain one cell, and tell how it is', async () => {
    const cell = 'one: 0 live calls, last seen 20'
    const told = await program.run(['operator', 'cells', 'drain', 'one'])
    expect(told.stdout)
      .to.match(/^draining +/)
      .and.contain(cell)
    expect((await program.run(['operator', 'cells'])).stdout).to.match(/^draining +/)
    const again = await program.run(['operator', 'cells', 'undrain', 'one'])
    expect(again.stdout).to.match(/^up +/).and.contain(cell)
    expect((await program.run(['operator', 'cells', 'drain', 'nowhere'])).code).to.equal(1)
  })

  it('change how much a part logs', async () => {
    const changed = await program.run(['operator', 'log-level', 'server', 'debug', '--minutes', '5'])
    expect(changed.stdout).to.match(/server +debug +20\d\d-/)
    expect((await program.run(['operator', 'log-level', 'server', 'default'])).stdout).to.match(
      /server +default/,
    )
    expect((await program.run(['operator', 'log-level', 'server'])).code).to.equal(2)
  })
})

/** `jackfield sandbox call`: a simulated caller meets the flow of a number. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { Program, unwrapped } from './program.js'

const inAcme = ['--workspace', 'acme']

describe('sandbox call', function () {
  this.timeout(60_000)
  let program: Program
  let numberId: string

  before(async () => {
    program = await Program.start()
    await program.json('workspace', 'create', 'acme', '--title', 'Acme', '--country', 'US')
    numberId = String((await program.json('demo', ...inAcme))['id'])
  })
  after(async () => program?.stop())

  it('shows a call that is refused, as the number has no flow yet', async () => {
    const ran = await program.run(['sandbox', 'call', '+12025550199', ...inAcme, '--follow'])
    expect(ran.code, ran.stderr).to.equal(0)
    expect(ran.stderr).to.match(/call_\S+ from \+12025550123 to \+12025550199 is on its way\./)
    expect(ran.stderr).to.match(/call\.ended +480 +SUBSCRIBER_ABSENT/)
  })

  it('goes through the flow of the number by the keys that are pressed', async () => {
    const nodes = [
      { id: 'start', type: 'start', next: { default: 'menu' } },
      { id: 'menu', type: 'menu', params: { text: 'Press one.', timeout: 10 }, next: { '1': 'bye' } },
      { id: 'bye', type: 'hangup', params: { cause: 'CALL_REJECTED' } },
    ]
    const file = join(program.home, 'menu.json')
    await writeFile(file, JSON.stringify(nodes))
    const named = ['--title', 'Menu', '--trigger', 'inbound', '--file', file]
    const flow = await program.json('flow', 'create', ...named, ...inAcme)
    await program.json('number', 'set', numberId, '--flow', String(flow['id']), ...inAcme)
    const caller = ['--from', '+442071838750', '--name', "O'Brien, {Sons}", '--keys', 'w1']
    const answer = await program.json('sandbox', 'call', '12025550199', ...inAcme, ...caller)
    expect(answer).to.include({ from: '+442071838750', to: '+12025550199' })
    const followed = await program.run(['sandbox', 'call', '12025550199', ...inAcme, ...caller, '--follow'])
    expect(followed.stderr).to.match(/call\.answered +200/)
    expect(followed.stderr).to.match(/call\.ended +200 +CALL_REJECTED/)
    const shown = await program.json('call', 'show', String(answer['call_id']), ...inAcme)
    expect(shown).to.include({ direction: 'inbound', from: '+442071838750', to: '+12025550199' })
  })

  it('says what is wrong', async () => {
    for (const [args, code, message] of [
      [['+12025550100'], 1, /\+12025550100 is no number of this workspace/],
      [['+12025550199', '--keys', '1x'], 2, /--keys are digits/],
      [['+12025550199', '--from', 'a b'], 2, /--from is a number/],
    ] as const) {
      const ran = await program.run(['sandbox', 'call', ...args, ...inAcme])
      expect(unwrapped(ran.stderr)).to.match(message)
      expect(ran.code).to.equal(code)
    }
    const elsewhere = await program.run(['sandbox', 'call', '+12025550199', ...inAcme], {
      environment: { JACKFIELD_HOME: program.home },
    })
    expect(unwrapped(elsewhere.stderr)).to.match(/no appliance on this machine that runs on the sandbox/)
  })
})

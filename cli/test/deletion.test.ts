/** Deleting over the command line: a call, a message, a conversation, and everything of one person. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { Program } from './program.js'

const inAcme = ['--workspace', 'acme']

describe('deleting', function () {
  this.timeout(120_000)
  let program: Program

  before(async () => {
    program = await Program.start()
    await program.json('workspace', 'create', 'acme', '--title', 'Acme', '--country', 'US')
    await json('credit', 'add', '--amount', '10')
    const acl = await json('trunk', 'acl', 'create', '--title', 'Carrier', '--allow', '127.0.0.1')
    const gateway = await json(
      ...['trunk', 'gateway', 'create', '--title', 'Carrier', '--caller-id', '+12025550199'],
      ...['--uri', 'carrier.sandbox'],
    )
    const number = await json(
      ...['number', 'connect', '--number', '2025550199', '--country', 'US', '--title', 'Main'],
      ...['--acl', String(acl['id']), '--gateway', String(gateway['id'])],
    )
    await json('number', 'activate', String(number['id']))
  })
  after(async () => program?.stop())

  const json = async (...args: string[]) => program.json(...args, ...inAcme)

  async function until(ask: () => Promise<Record<string, unknown>>, field: string, value: unknown) {
    const end = Date.now() + 30_000
    while (Date.now() < end) {
      const answer = await ask()
      if (answer[field] === value) return answer
      await sleep(200)
    }
    throw new Error(`${field} does not become ${String(value)}`)
  }

  async function endedCall(): Promise<string> {
    const actions = JSON.stringify([{ action: 'hangup' }])
    const { data } = await json('call', 'make', '--to', '+12025550100', '--actions', actions)
    const { call_id: id } = data as { call_id: string }
    await until(async () => json('call', 'show', id), 'status', 'completed')
    return id
  }

  it('asks first, and takes a call away', async () => {
    const id = await endedCall()
    const asked = await program.run(['call', 'delete', id, ...inAcme])
    expect(asked.code).not.to.equal(0)
    expect(await json('call', 'delete', id, '--yes')).to.include({ call_id: id })
    const gone = await program.run(['call', 'show', id, ...inAcme])
    expect(gone.code).to.equal(1)
    expect(gone.stderr).to.contain('not found')
    for (const what of ['message', 'conversation']) {
      const none = await program.run([what, 'delete', `${what}_1`, '--yes', ...inAcme])
      expect(none.stderr, what).to.contain('not found')
    }
  })

  it('takes everything of a person away', async () => {
    const id = await endedCall()
    const nobody = await program.run(['erasure', 'create', '--yes', ...inAcme])
    expect(nobody.code).to.equal(2)
    expect(nobody.stderr).to.contain('--number or --contact')
    const made = await json('erasure', 'create', '--number', '+12025550100', '--yes')
    expect(made).to.include({ status: 'pending', label: '+12•••••••00' })
    const done = await until(async () => json('erasure', 'show', String(made['id'])), 'status', 'completed')
    expect(done['deleted']).to.include({ calls: 1 })
    const client = await json('erasure', 'create', '--number', 'client:anna', '--yes')
    expect(client).to.include({ status: 'pending', label: 'client:a•••' })
    const listed = await program.run(['erasure', 'list', ...inAcme])
    expect(listed.stdout).to.contain('+12•••••••00').and.contain('completed')
    expect((await program.run(['call', 'show', id, ...inAcme])).code).to.equal(1)
  })

  it('sets for how long a workspace keeps its data', async () => {
    const set = await json('profile', 'set', '--calls-kept', '30', '--messages-kept', '40')
    expect(set).to.include({ call_retention_days: 30, message_retention_days: 40 })
    const shown = await program.run(['profile', 'show', ...inAcme])
    expect(shown.stdout).to.match(/calls_kept\s+30 days/)
    expect(shown.stdout, 'what calls may do').to.match(/premium_rates\s+(true|false|yes|no)/)
    const wrong = await program.run(['profile', 'set', '--ledger-kept', '3', ...inAcme])
    expect(wrong.stderr).to.contain('--ledger-kept')
    expect(await json('profile', 'set', '--calls-kept', 'none')).to.include({ call_retention_days: null })
  })
})

/** Commands of the operator: status, checklist, rate decks, money, workspaces and their keys. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { inAcme, smsc, useAcme } from './acme.js'
import { wordsOf } from './command-lines.js'
import { unwrapped } from './program.js'
import { expectSnapshot } from './snapshots.js'

const root = fileURLToPath(new URL('../../../', import.meta.url))

describe('resources: operator', function () {
  this.timeout(60_000)
  const acme = useAcme()
  const { json, shown, operators, file } = acme

  it('operator', async () => {
    const status = await acme.program.json('operator', 'status')
    expect(status['state']).to.equal('ok')
    const parts = await acme.program.run(['operator', 'status'])
    expect(parts.code).to.equal(0)
    expect(parts.stdout)
      .to.match(/^switch +up +sandbox /m)
      .and.to.match(/^live calls +0 +-$/m)
    const list = await acme.program.json('operator', 'checklist')
    expect(list['is_complete']).to.equal(false)
    const told = await acme.program.run(['operator', 'checklist'])
    expect(told.stdout).to.match(/^todo +switch: Calls run on the sandbox/m)
    expect(told.stdout).to.match(/^ +\$ npm run up$/m)
    expect(told.stdout).to.match(/^done +workspace: Workspaces: 1\.$/m)
  })

  it('operator checklist, whose commands do what it asks for', async () => {
    const items = async (): Promise<{ id: string; state: string; command: string; docs: string }[]> =>
      (await acme.program.json('operator', 'checklist'))['items']
    const asked = async (id: string) => (await items()).find((item) => item.id === id)
    const follow = async (id: string, placeholder = '', value = '') => {
      const { command = '' } = (await asked(id)) ?? {}
      const words = wordsOf(command.replace('npx jackfield ', '').replace(placeholder, value))
      const { code, stderr } = await acme.program.run(words)
      expect(code, `${command}: ${stderr}`).to.equal(0)
    }
    for (const { docs } of await items()) {
      const [page] = docs.split('#') // server/test/unit/documentation.test.ts looks for the headings
      expect(existsSync(`${root}${page}`), docs).to.equal(true)
    }
    const { balance } = await json('credit', 'show')
    if (balance > 0) await json('credit', 'correct', `--amount=-${balance}`, '--note', 'not paid after all')
    await follow('credit')
    await follow('trunk')
    const acl = await json('trunk', 'acl', 'create', '--title', 'Carrier', '--allow', '127.0.0.1')
    await follow('number', '<acl_…>', acl['id'])
    const { data } = await json('number', 'list')
    await follow('number', '<pn_…>', data[0].id)
    for (const id of ['credit', 'trunk', 'number']) expect((await asked(id))?.state, id).to.equal('done')
    await json('number', 'delete', data[0].id, '--yes')
    await json('trunk', 'acl', 'delete', acl['id'], '--yes')
  })

  it('rate deck', async () => {
    const deck = await operators('rate-deck create', '--title', 'Retail')
    const csv =
      'prefix,destination,price,connection_fee,minimum_seconds,increment_seconds\n53,Cuba,0.9,0.05,60,6\n'
    await operators('rate-deck import', deck['id'], await file('retail.csv', csv))
    await operators('rate-deck list', '--search', deck['id'])
    await operators('rate-deck show', deck['id'])
    await operators('rate-deck rates', deck['id'], '--filter', 'prefix=53')
    await operators('rate-deck set', deck['id'], '--title', 'Retail 2027')
    const exported = await acme.program.run(['rate-deck', 'export', deck['id']])
    expect(exported.stdout).to.match(/^kind,prefix,.*\r\noutbound_call,53,Cuba,0.9,0.05,60,6,false,\r\n$/)
    await acme.program.json('workspace', 'set', 'acme', '--rate-deck', deck['id'])
    await shown('rate-deck lookup', '+5371234567')
    const wrong = await acme.program.run([
      'rate-deck',
      'import',
      deck['id'],
      await file('wrong.csv', 'prefix,price\nx,1\n'),
    ])
    expect(wrong).to.include({ code: 1 })
    expect(unwrapped(wrong.stderr)).to.match(/line 2: prefix must be the first 1 to 15 digits/)
    await acme.program.json('workspace', 'set', 'acme', '--rate-deck', 'none')
    await operators('rate-deck delete', deck['id'], '--yes')
  })

  it('credit check, usage export', async () => {
    const checked = await acme.program.json('credit', 'check', '--workspace', 'acme')
    expectSnapshot('credit-check', checked)
    const told = await acme.program.run(['credit', 'check'])
    expect(told).to.include({ code: 0, stdout: 'The money of acme adds up.\n' })
    const heading = 'workspace_id,day,kind,rate_deck_id,prefix,count,seconds,segments,cost'
    for (const whose of [[], inAcme]) {
      const exported = await acme.program.run([
        'usage',
        'export',
        '--from',
        '2026-01-01',
        '--to',
        '2026-01-31',
        ...whose,
      ])
      expect(exported.stdout).to.equal(`${heading}\r\n`)
    }
  })

  it('workspace, api-key, call', async () => {
    for (const [command, ...args] of [
      ['workspace create', 'beta', '--title', 'Beta', '--country', 'DE'],
      ['workspace list', '--search', 'beta'],
      ['workspace show', 'beta'],
      ['workspace set', 'beta', '--max-calls', '30', '--countries', 'DE,US', '--no-recording'],
    ] as const) {
      expectSnapshot(command.replace(' ', '-'), await acme.program.json(...command.split(' '), ...args))
    }
    const inBeta = ['--workspace', 'beta']
    const invited = await acme.program.json('workspace', 'invite', 'beta', '--username', 'amara')
    expectSnapshot('workspace-invite', { ...invited, link: '<link>' })
    expectSnapshot('workspace-enter', {
      ...(await acme.program.json('workspace', 'enter', 'beta')),
      link: '<link>',
    })
    expectSnapshot('workspace-leave', await acme.program.json('workspace', 'leave', 'beta'))
    const again = await acme.program.json('agent', 'invite', invited['agent_id'], ...inBeta)
    expectSnapshot('agent-invite', { ...again, link: '<link>' })
    expectSnapshot(
      'agent-uninvite',
      await acme.program.json('agent', 'uninvite', invited['agent_id'], ...inBeta),
    )
    const key = await acme.program.json('api-key', 'create', ...inBeta, '--scope', 'any', '--role', 'viewer')
    const hidden = { api_key: '<key>', secret: '<secret>' }
    expectSnapshot('api-key-create', { ...key, ...hidden })
    expectSnapshot('api-key-list', await acme.program.json('api-key', 'list', ...inBeta))
    expectSnapshot(
      'api-key-revoke',
      await acme.program.json('api-key', 'revoke', key['sid'], ...inBeta, '--yes'),
    )
    await acme.program.json('demo', ...inBeta)
    const made = await acme.program.run([
      'call',
      'make',
      ...inBeta,
      '--to',
      '+12025550101',
      '--say',
      'Hi',
      '--follow',
      '--json',
    ])
    expectSnapshot('call-make', JSON.parse(made.stdout))
    const id = String(JSON.parse(made.stdout).data.call_id)
    expectSnapshot('call-events', await acme.program.json('call', 'events', id, ...inBeta))
    expectSnapshot('call-show', await acme.program.json('call', 'show', id, ...inBeta))
    expectSnapshot('call-list', await acme.program.json('call', 'list', ...inBeta))
    const [number] = (await acme.program.json('number', 'list', ...inBeta))['data']
    await acme.program.json('number', 'set', number.id, ...inBeta, '--fee-per-segment', '0')
    const { id: carrier } = await acme.program.json('carrier', 'add', '--title', 'Nobody', ...smsc)
    await acme.program.json('carrier', 'assign', number.id, ...inBeta, '--carrier', carrier)
    const message = ['--from', '+12025550199', '--to', '+12025550142', '--body', 'Your order is ready']
    const sent = await acme.program.json('message', 'send', ...inBeta, ...message)
    expectSnapshot('message-send', sent)
    // The carrier does not answer.
    const later = { status: '<status>', error_code: null, error_message: null }
    const listed = await acme.program.json('message', 'list', ...inBeta)
    expectSnapshot('message-list', { ...listed, data: [{ ...listed['data'][0], ...later }] })
    expectSnapshot('message-show', {
      ...(await acme.program.json('message', 'show', sent['id'], ...inBeta)),
      ...later,
    })
    expectSnapshot('workspace-delete', await acme.program.json('workspace', 'delete', 'beta', '--yes'))
  })
})

/** Commands of what calls and messages come and go by: trunks, numbers, SIP accounts, extensions, carriers. */
import { generateKeyPairSync } from 'node:crypto'
import { join } from 'node:path'
import { expect } from 'chai'
import { inAcme, smsc, useAcme } from './acme.js'
import { unwrapped } from './program.js'
import { expectSnapshot } from './snapshots.js'

describe('resources: telephony', function () {
  this.timeout(60_000)
  const acme = useAcme()
  const { json, shown, operators, file } = acme

  it('trunk, number', async () => {
    const acl = await shown('trunk acl create', '--title', 'Carrier', '--allow', '127.0.0.1')
    await shown('trunk acl list')
    await shown('trunk acl show', acl['id'])
    await shown('trunk acl set', acl['id'], '--allow', '192.0.2.1,192.0.2.2')
    const gateway = await shown(
      'trunk gateway create',
      ...['--title', 'Carrier', '--caller-id', '+12025550199', '--uri', 'sip.carrier.example'],
      ...['--username', 'acme', '--password-file', await file('trunk-password', 'secret\n')],
    )
    await shown('trunk gateway list')
    const changes = ['--title', 'Other', '--username', 'none', '--codecs', 'PCMA,PCMU']
    await shown('trunk gateway set', gateway['id'], ...changes)
    await shown('trunk gateway show', gateway['id'])
    const number = await shown(
      'number connect',
      ...['--number', '2025550199', '--country', 'US', '--title', 'Main', '--acl', acl['id']],
      ...['--gateway', gateway['id']],
    )
    await shown('number list')
    await shown('number show', number['id'])
    expect((await json('number', 'list', '--filter', 'enable_outbound=no'))['data']).to.have.length(0)
    await shown('number set', number['id'], '--title', 'Sales', '--record-outbound', '--no-outbound')
    await shown('opt-out add', '--number', number['id'], '--client', '+12025550177')
    await shown('opt-out list')
    await shown('message settings set', '--stop-words', 'no more,no mas', '--stop-reply', 'Good bye')
    await shown('message settings show')
    const emptied = await json('message', 'settings', 'set', '--stop-words', 'none', '--stop-reply', 'none')
    expect(emptied).to.deep.include({ stop_words: [], stop_reply: null })
    await shown('opt-out remove', number['id'], '+12025550177', '--yes')
    await shown('number delete', number['id'], '--yes')
    await shown('trunk gateway delete', gateway['id'], '--yes')
    await shown('trunk acl delete', acl['id'], '--yes')
  })

  it('sip-account', async () => {
    const password = ['--password-file', await file('password', 'a secret\r\n')]
    const username = ['--username', 'reception']
    const account = await shown('sip-account create', ...username, '--title', 'Reception', ...password)
    await shown('sip-account list', '--search', 'recep')
    await shown('sip-account show', account['id'])
    await shown('sip-account set', account['id'], '--title', 'Lobby', '--caller-id', 'none')
    await shown('sip-account password', account['id'], ...password)
    const taken = await acme.program.run([
      'sip-account',
      'create',
      ...inAcme,
      ...username,
      '--title',
      'x',
      ...password,
    ])
    expect(taken).to.include({ code: 1 })
    expect(taken.stderr).to.match(/reception is taken/)
    const asked = await acme.program.run(['sip-account', 'password', account['id'], ...inAcme])
    expect(asked, 'nobody can be asked').to.include({ code: 2 })
    expect(unwrapped(asked.stderr)).to.match(/Missing --password-file/)
    const typed = await acme.program.onTerminal(
      ['sip-account', 'create', ...inAcme, '--username', 'lobby'],
      [
        ['Title', 'Lobby'],
        ['Password', 'unseen words'],
      ],
    )
    expect(typed.code, typed.stdout).to.equal(0)
    expect(typed.stdout, 'it is typed unseen')
      .to.match(/title +Lobby/)
      .and.not.match(/unseen/)
    const heading = 'username,password,title,outbound_caller_id\n'
    const lines = 'reception,secret1,Lobby,\nkitchen,secret2,Kitchen,\nattic,short,Attic,+12025550123\n'
    const report = await acme.program.run(['sip-account', 'import', '-', ...inAcme, '--json'], {
      stdin: heading + lines,
    })
    expectSnapshot('sip-account-import', JSON.parse(report.stdout))
    expect(report.code).to.equal(1)
    const rehearsed = await acme.program.run(['sip-account', 'import', '-', ...inAcme, '--dry-run'], {
      stdin: `${heading}attic,secret3,Attic,+12025550123\n`,
    })
    expect(rehearsed.stdout).to.match(/^2 +attic +outbound_caller_id +.*not of this workspace/m)
    await shown('sip-account delete', account['id'], '--yes')
  })

  it('extension', async () => {
    const team = await json('team', 'create', '--name', 'Desk')
    const agent = await json(
      ...['agent', 'create', '--username', 'fred', '--display-name', 'Fred'],
      ...['--password-file', await file('password', 'a secret')],
    )
    const extension = await shown(
      'extension create',
      '--number',
      '100',
      '--title',
      'Desk',
      '--team',
      team['id'],
    )
    await shown('extension set', extension['id'], '--agent', agent['id'])
    await shown('extension show', extension['id'])
    await shown('extension list', '--filter', 'destination=agent')
    const table = await acme.program.run(['extension', 'list', ...inAcme])
    expect(table.stdout).to.match(/100 +Desk +agent +fred$/m)
    const create = ['extension', 'create', ...inAcme, '--number', '101', '--title', 'x']
    for (const [args, message] of [
      [[], /Where does it lead to\? Give one of --agent, --team/],
      [['--team', 'te_1', '--agent', 'ag_1'], /not to --agent and --team/],
    ] as const) {
      const ran = await acme.program.run([...create, ...args])
      expect(ran).to.include({ code: 2, stdout: '' })
      expect(unwrapped(ran.stderr)).to.match(message)
    }
    const deleted = await acme.program.run(['agent', 'delete', agent['id'], ...inAcme, '--yes'])
    expect(deleted).to.include({ code: 0 })
    const dead = await acme.program.run(['extension', 'list', ...inAcme])
    expect(dead.stdout).to.match(/100 +Desk +agent +\(deleted\)$/m)
    await shown('extension delete', extension['id'], '--yes')
  })

  it('push-credential', async () => {
    const key = await json('api-key', 'create', '--scope', 'any', '--role', 'viewer')
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    const made = await json(
      ...['push-credential', 'create', '--name', 'Phone', '--api-key', key['sid'], '--platform', 'ios'],
      ...['--ios-key-file', await file('AuthKey.p8', pem), '--ios-key-id', 'ABCDE12345'],
      ...['--ios-team-id', 'TEAM123456', '--ios-bundle-id', 'com.example.phone'],
      ...['--ios-environment', 'production'],
    )
    expect(made['key_fingerprint']).to.match(/^[0-9a-f]{64}$/)
    expectSnapshot('push-credential-create', { ...made, key_fingerprint: '<fingerprint>' })
    expect((await json('push-credential', 'list', '--sort', 'name'))['data']).to.have.length(1)
    expect(await json('push-credential', 'show', made['id'])).to.deep.equal(made)
    expect(await json('push-credential', 'set', made['id'], '--name', 'Other')).to.include({ name: 'Other' })
    const lost = await acme.program.run([
      'push-credential',
      'set',
      made['id'],
      ...inAcme,
      '--ios-key-file',
      join(acme.program.home, 'none.p8'),
    ])
    expect(lost).to.include({ code: 2 })
    expect(await json('push-credential', 'delete', made['id'], '--yes')).to.include({ name: 'Other' })
  })

  it('carrier', async () => {
    const idle = ['--no-active', '--throughput', '50']
    const blue = await operators('carrier add', '--title', 'Blue', ...smsc, ...idle)
    const settings = { url: 'https://api.example.com/messages', body: '{"to": "{{to}}", "text": "{{body}}"}' }
    const green = await acme.program.json(
      ...['carrier', 'add', '--title', 'Green', '--kind', 'http', '--no-active'],
      ...['--settings-file', await file('green.json', JSON.stringify({ ...settings, method: 'PUT' }))],
      ...['--headers-file', await file('headers.json', '{"Authorization": "Bearer secret-of-green"}')],
      ...['--inbound-secret-file', await file('inbound-secret', 'what-green-signs-with\n')],
    )
    expect(green['settings']).to.include({ ...settings, method: 'PUT', number_format: 'plus' })
    expect(green['secrets']).to.deep.equal(['headers.Authorization', 'inbound_secret'])
    await operators('carrier list', '--search', blue['id'])
    await operators('carrier show', blue['id'])
    await operators('carrier set', blue['id'], '--tls', '--port', '3550', '--window', '20')
    const national = [
      '--country',
      'GB',
      '--number-format',
      'national_trunk',
      '--inbound-number-format',
      'national',
    ]
    expect((await acme.program.json('carrier', 'set', blue['id'], ...national))['settings']).to.include({
      ...{ country: 'GB', number_format: 'national_trunk', inbound_number_format: 'national' },
    })
    await operators('carrier status', blue['id'])
    const acl = await json('trunk', 'acl', 'create', '--title', 'Carrier', '--allow', '127.0.0.1')
    const number = await json(
      ...['number', 'connect', '--number', '2025550177', '--country', 'US', '--title', 'Texts'],
      ...['--acl', acl['id']],
    )
    const given = ['--carrier', green['id'], '--carrier', blue['id']]
    await shown('carrier assign', number['id'], ...given)
    await shown('number carriers', number['id'])
    const told = await acme.program.run(['number', 'carriers', number['id'], ...inAcme])
    expect(told.stdout).to.match(/^ID +TITLE +KIND +IS ACTIVE\ncar_\S+ +Green +http +no\ncar_\S+ +Blue/)
    const names = ['--originator', 'ACME', '--originator', '72345']
    expect(await json('number', 'originators', number['id'], ...names)).to.deep.equal({
      ...{ phone_number_id: number['id'], originators: ['72345', 'ACME'] },
    })
    const sentAs = await acme.program.run(['number', 'originators', number['id'], ...inAcme])
    expect(sentAs.stdout).to.equal('72345\nACME\n')
    const unnamed = ['number', 'originators', number['id'], ...inAcme, '--originator', 'none']
    expect((await acme.program.run(unnamed)).stdout).to.equal('The number sends texts only as itself.\n')
    const used = await acme.program.run(['carrier', 'delete', blue['id'], '--yes'])
    expect(used).to.include({ code: 1 })
    expect(used.stderr).to.equal('Error: The carrier Blue is used by number 12025550177\n')
    const none = await acme.program.run(['carrier', 'assign', number['id'], ...inAcme, '--carrier', 'none'])
    expect(none.stdout).to.equal('The number has no SMS carrier: it sends and takes no messages.\n')
    const named = await acme.program.run(['carrier', 'set', blue['id'], '--host', 'no host'])
    expect(named.stderr).to.equal('Error: settings.host must be a host name or an IP address (--host)\n')
    const asked = await acme.program.run([
      'carrier',
      'add',
      '--title',
      'x',
      '--host',
      'x',
      '--system-id',
      'x',
    ])
    expect(asked, 'nobody can be asked').to.include({ code: 2 })
    expect(unwrapped(asked.stderr)).to.match(/Missing --password-file/)
    const typed = await acme.program.onTerminal(
      ['carrier', 'add', '--host', '127.0.0.1', '--no-active'],
      [
        ['Title', 'Red'],
        ['System id', 'jackfield'],
        ['Password', 'unseen'],
      ],
    )
    expect(typed.code, typed.stdout).to.equal(0)
    expect(typed.stdout)
      .to.match(/settings\.system_id +jackfield/)
      .and.not.match(/unseen/)
    await json('number', 'delete', number['id'], '--yes')
    await operators('carrier delete', blue['id'], '--yes')
  })
})

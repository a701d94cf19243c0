/** Every resource's commands against a real server; the `--json` outputs are held by snapshots. */
import { generateKeyPairSync } from 'node:crypto'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { startAiServer } from './appliance.js'
import { wordsOf } from './command-lines.js'
import { Program, unwrapped } from './program.js'
import { expectSnapshot } from './snapshots.js'

const root = fileURLToPath(new URL('../../../', import.meta.url))

const inAcme = ['--workspace', 'acme']

/** Nobody listens there. */
const smsc = ['--host', '127.0.0.1', '--port', '9', '--system-id', 'jackfield', '--password', 'bindword']

describe('resources', function () {
  this.timeout(60_000)
  let program: Program

  before(async () => {
    program = await Program.start()
    await program.json('workspace', 'create', 'acme', '--title', 'Acme', '--country', 'US')
  })
  after(async () => program.stop())

  /** Runs in the workspace and returns the answer. */
  const json = async (...args: string[]) => program.json(...args, ...inAcme)

  /** The same, and holds the answer against its snapshot, which is named after the command. */
  async function shown(command: string, ...args: string[]): Promise<Record<string, any>> {
    const answer = await json(...command.split(' '), ...args)
    expectSnapshot(command.replaceAll(' ', '-'), answer)
    return answer
  }

  async function file(name: string, content: string): Promise<string> {
    const path = join(program.home, name)
    await writeFile(path, content)
    return path
  }

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
    await shown('trunk gateway set', gateway['id'], '--title', 'Other', '--username', 'none')
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
    const taken = await program.run([
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
    const asked = await program.run(['sip-account', 'password', account['id'], ...inAcme])
    expect(asked, 'nobody can be asked').to.include({ code: 2 })
    expect(unwrapped(asked.stderr)).to.match(/Missing --password-file/)
    const typed = await program.onTerminal(
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
    const report = await program.run(['sip-account', 'import', '-', ...inAcme, '--json'], {
      stdin: heading + lines,
    })
    expectSnapshot('sip-account-import', JSON.parse(report.stdout))
    expect(report.code).to.equal(1)
    const rehearsed = await program.run(['sip-account', 'import', '-', ...inAcme, '--dry-run'], {
      stdin: `${heading}attic,secret3,Attic,+12025550123\n`,
    })
    expect(rehearsed.stdout).to.match(/^2 +attic +outbound_caller_id +.*not of this workspace/m)
    await shown('sip-account delete', account['id'], '--yes')
  })

  it('contact, address-book', async () => {
    const book = await shown('address-book create', '--title', 'Customers')
    const contact = await shown(
      'contact create',
      ...['--name', 'Anna Smith', '--numbers', '+12025550123,+12025550124', '--email', 'anna@example.com'],
      ...['--address-book', book['id'], '--field', 'customer=4711', '--field', 'note=a=b'],
    )
    await shown('contact list', '--filter', 'number=+12025550124')
    await shown('contact show', contact['id'])
    await shown('contact set', contact['id'], '--notes', 'Calls back', '--email', 'none')
    await shown('address-book set', book['id'], '--title', 'All customers')
    await shown('address-book list')
    await shown('address-book show', book['id'])
    await shown('contact delete', contact['id'], '--yes')
    await shown('address-book delete', book['id'], '--yes')
  })

  it('flow', async () => {
    const nodes = [
      { id: 'start', type: 'start', params: {}, next: { default: 'bye' } },
      { id: 'bye', type: 'hangup', params: { cause: 'NORMAL_CLEARING' }, next: {} },
    ]
    const ivr = { id: 'wait', type: 'ivr', params: {} }
    const onlyNodes = await file('nodes.json', JSON.stringify(nodes))
    const flow = await shown('flow create', '--file', onlyNodes, '--title', 'Menu', '--trigger', 'inbound')
    const whole = await file('flow.json', JSON.stringify(await shown('flow show', flow['id'])))
    await shown('flow set', flow['id'], '--file', whole, '--title', 'Main menu')
    await shown('flow list', '--filter', 'trigger_type=inbound')
    const tried = ['--time', '2026-12-25T10:00:00Z', '--seed', '1', '--keys', '1,,2#']
    await shown('flow simulate', flow['id'], ...tried)
    const path = await program.run(['flow', 'simulate', flow['id'], ...inAcme, ...tried])
    expect(path.stdout).to.equal(
      [
        'NODE   TYPE    OUTCOME  DETAILS',
        'start  start   default  -',
        'bye    hangup  -        cause=NORMAL_CLEARING',
        '',
        'The call is hung up by the flow: NORMAL_CLEARING.',
        '',
      ].join('\n'),
    )
    const longer = [
      { ...nodes[0], next: { default: 'wait' } },
      { ...ivr, next: { default: 'bye' } },
      nodes[1],
    ]
    await json('flow', 'set', flow['id'], '--file', await file('longer.json', JSON.stringify(longer)))
    await shown('flow version list', flow['id'])
    await shown('flow version show', flow['id'], '1')
    const restored = await shown('flow version restore', flow['id'], '1')
    expect(restored['nodes']).to.deep.equal(nodes)
    await shown('flow check', '--file', onlyNodes)
    const given = ['--contact', '{"a":1}', '--outcome', 'start=busy', '--actions', 'bye=[]']
    const refused = await program.run(['flow', 'simulate', flow['id'], ...inAcme, ...given])
    expect(refused).to.include({ code: 1, stdout: '' })
    expect(refused.stderr).to.match(/outcomes\.start must be one of default \(--outcome\)/)
    expect(refused.stderr).to.match(/actions\.bye is said of no json_call_action.* \(--actions\)/)
    const dangling = await file('bad.json', JSON.stringify([{ ...nodes[0], next: { default: 'nowhere' } }]))
    const checked = await program.run(['flow', 'check', ...inAcme, '--file', dangling])
    expect(checked).to.include({ code: 1, stderr: '' })
    expect(checked.stdout).to.match(/^node start: next\.default names no node: nowhere$/m)
    const wrong = await program.run(['flow', 'set', flow['id'], ...inAcme, '--file', dangling])
    expect(wrong).to.include({ code: 1, stdout: '' })
    expect(wrong.stderr).to.match(/^Error: node start: next\.default.*nowhere.* \(--file\)$/m)
    const noJson = await program.run(['flow', 'set', flow['id'], ...inAcme, '--file', await file('x', '[')])
    expect(noJson).to.include({ code: 2 })
    expect(unwrapped(noJson.stderr)).to.match(/--file \S+ is not JSON/)
    const other = await program.run(['flow', 'create', ...inAcme, '--file', await file('x', '{}')])
    expect(unwrapped(other.stderr)).to.match(/--file holds no flow/)
    await shown('flow delete', flow['id'], '--yes')
  })

  it('voice-agent', async () => {
    const instructions = await file('instructions.txt', 'Answer questions about opening hours.\n')
    const agent = await shown(
      'voice-agent create',
      '--name',
      'Front desk',
      '--instructions-file',
      instructions,
    )
    const id = String(agent['id'])
    await shown('voice-agent list', '--search', 'desk')
    await shown('voice-agent version create', id)
    const settings = [
      ...['--greeting', 'Good evening.', '--max-duration', '60', '--no-noise-reduction'],
      ...['--temperature', '0.6'],
    ]
    await shown('voice-agent settings', id, '--version', '2', ...settings)
    await shown('voice-agent show', id, '--version', '2')
    await shown('voice-agent publish', id, '--version', '2')
    await shown('voice-agent version list', id)
    await shown('voice-agent version delete', id, '1', '--yes')
    const parameters = await file(
      'parameters.json',
      JSON.stringify({ order_number: { type: 'string', description: 'its number' } }),
    )
    const tool = await shown(
      'voice-agent tool create',
      ...[
        id,
        '--name',
        'find_order',
        '--description',
        'Finds an order',
        '--url',
        'https://shop.example/orders',
      ],
      ...['--parameters', parameters, '--required', 'order_number', '--header', 'X-Shop=acme'],
    )
    await shown('voice-agent tool list', id)
    await shown('voice-agent tool show', id, tool['id'])
    await shown('voice-agent tool set', id, tool['id'], '--no-active', '--method', 'GET')
    await shown('voice-agent tool delete', id, tool['id'], '--yes')
    const turns = [{ say: 'When do you open?', expect: [{ says: 'nine' }] }]
    const hours = await file('hours.json', JSON.stringify({ name: 'Hours', turns }))
    const script = await shown('voice-agent script create', id, '--file', hours)
    await shown('voice-agent script list', id)
    await shown('voice-agent script show', id, script['id'])
    await shown('voice-agent script set', id, script['id'], '--file', hours)
    // Nobody offers its model: the gate of a customer's pipeline stays shut.
    const evaluated = await program.run([
      'voice-agent',
      'eval',
      id,
      ...inAcme,
      '--version',
      '2',
      '--script',
      hours,
    ])
    expect(evaluated).to.include({ code: 1 })
    expect(evaluated.stdout).to.match(
      /Version 2: 0 of 1 scripts passed\.\nThe scripts could not all be played: /,
    )
    await shown('voice-agent evaluation list', id)
    await shown('voice-agent script delete', id, script['id'], '--yes')
    await shown('voice-agent set', id, '--name', 'Night desk')
    await shown('voice-agent delete', id, '--yes')
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
    const lost = await program.run([
      'push-credential',
      'set',
      made['id'],
      ...inAcme,
      '--ios-key-file',
      join(program.home, 'none.p8'),
    ])
    expect(lost).to.include({ code: 2 })
    expect(await json('push-credential', 'delete', made['id'], '--yes')).to.include({ name: 'Other' })
  })

  it('profile, usage, audio, credit', async () => {
    expect(await json('profile', 'set', '--title', 'Acme Inc.')).to.include({
      id: 'acme',
      title: 'Acme Inc.',
    })
    const profile = await program.run(['profile', 'show', ...inAcme])
    expect(profile.stdout).to.match(/^phone_numbers +\d of 100$/m)
    expect(
      await json('usage', '--from', '2026-01-01', '--to', '2026-02-01', '--group-by', 'month'),
    ).to.include({
      from: '2026-01-01',
      group_by: 'month',
    })
    const usage = await program.run(['usage', ...inAcme])
    expect(usage.stdout).to.match(/^PERIOD .* COST +MESSAGES +SEGMENTS +MESSAGE COST\ntotal +-( +0){6}\n$/)
    expect((await program.run(['usage', ...inAcme, '--csv'])).stdout).to.equal(
      'period,direction,calls,seconds,cost,messages,segments,message_cost\r\n',
    )
    const audio = await json('audio', 'add', '--title', 'Hello', '--text', 'Hello')
    await shown('audio set', audio['id'], '--title', 'Welcome')
    await shown('audio show', audio['id'])
    await shown('audio delete', audio['id'], '--yes')
    const added = ['credit', 'add', ...inAcme, '--amount', '5', '--note', 'first', '--key', 'transfer-17']
    for (let sent = 0; sent < 2; sent++) expect(await program.json(...added)).to.include({ balance: 5 })
    await shown('credit correct', '--amount=-2', '--note', 'too much')
    const negative = await program.run(['credit', 'add', ...inAcme, '--amount', '-2'])
    expect(negative).to.include({ code: 1 })
    expect(negative.stderr).to.include('amount must be more than 0')
    await shown('credit entries')
  })

  it('agent, team', async () => {
    const password = ['--password-file', await file('password', 'a secret')]
    const agent = await shown(
      'agent create',
      ...['--username', 'anna', '--display-name', 'Anna Smith', '--email', 'anna@example.com', ...password],
    )
    const id = String(agent['id'])
    await shown('agent set', id, '--role', 'supervisor')
    for (const role of ['member', 'leader']) {
      expect(await json('agent', 'set', id, '--role', role)).to.include({ id, role })
    }
    const wrong = await program.run(['agent', 'set', ...inAcme, id, '--role', 'suprvisor', '--json'])
    expect(wrong).to.include({ code: 2, stdout: '' })
    expect(unwrapped(wrong.stderr)).to.match(/member, leader, supervisor: did you mean supervisor\?/)
    await shown('agent list', '--filter', 'is_active=yes', '--sort', 'username')
    await shown('agent show', id)
    await shown('agent password', id, ...password)
    const team = await shown('team create', '--name', 'Sales')
    await shown('team add-agent', team['id'], id)
    await shown('team agents', team['id'])
    await shown('team queue', team['id'])
    await shown('agent teams', id)
    await shown('team set', team['id'], '--name', 'Support')
    await shown('team show', team['id'])
    await shown('team list')
    await shown('team remove-agent', team['id'], id)
    await shown('team delete', team['id'], '--yes')

    const heading = 'username,password,display_name,email,role,is_active\n'
    const lines = [
      'anna,a secret,Anna Smith,,,',
      'bert,a secret,Bert Müller,bert@example.com,leader,yes',
      'Carl,a secret,Carl,,boss,maybe',
      'dora,a secret,Dora,ANNA@example.com,,',
      'emil,a secret,Emil,bert@example.com,,',
    ]
    const report = await program.run(['agent', 'import', '-', ...inAcme, '--json'], {
      stdin: heading + lines.join('\n'),
    })
    expectSnapshot('agent-import', JSON.parse(report.stdout))
    const bert = (await json('agent', 'list', '--search', 'bert'))['data']
    expect(bert[0]).to.include({ role: 'leader', display_name: 'Bert Müller', is_active: true })
    const pixel =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    const picture = join(program.home, 'anna.png')
    await writeFile(picture, Buffer.from(pixel, 'base64'))
    expect((await json('agent', 'avatar', id, picture))['avatar']).to.match(/\.png$/)

    expect(await json('agent', 'delete', id, '--yes')).to.include({ id })
  })

  it('signing-secret', async () => {
    const { secret, ...made } = await json('signing-secret', 'rotate')
    expect(secret).to.match(/^cbsec_/)
    expect(await json('signing-secret', 'show')).to.deep.equal(made)
  })

  it('webhook', async () => {
    const webhook = await json(
      ...['webhook', 'create', '--url', 'https://shop.example/calls', '--events', 'call.ended,call.answered'],
    )
    expect(webhook['secret']).to.be.a('string')
    const id = String(webhook['id'])
    expectSnapshot('webhook-create', { ...webhook, secret: '<secret>' })
    await shown('webhook set', id, '--title', 'Shop')
    await shown('webhook show', id)
    await shown('webhook list')
    expect((await json('webhook', 'rotate-secret', id))['secret']).to.not.equal(webhook['secret'])
    const sent = await json('webhook', 'test', id)
    const deliveries = await json('webhook', 'deliveries', id)
    expect(deliveries['data']).to.have.length(1)
    expect(await json('webhook', 'delivery', id, sent['id'])).to.include({ id: sent['id'] })
    const resend = await program.run(['webhook', 'resend', id, sent['id'], ...inAcme, '--json'])
    expect(JSON.parse(resend.stdout)).to.satisfy(
      (answer: Record<string, unknown>) => answer['id'] !== undefined || answer['statusCode'] === 409,
    )
    expect(await json('webhook', 'delete', id, '--yes')).to.include({ id })
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
    const table = await program.run(['extension', 'list', ...inAcme])
    expect(table.stdout).to.match(/100 +Desk +agent +fred$/m)
    const create = ['extension', 'create', ...inAcme, '--number', '101', '--title', 'x']
    for (const [args, message] of [
      [[], /Where does it lead to\? Give one of --agent, --team/],
      [['--team', 'te_1', '--agent', 'ag_1'], /not to --agent and --team/],
    ] as const) {
      const ran = await program.run([...create, ...args])
      expect(ran).to.include({ code: 2, stdout: '' })
      expect(unwrapped(ran.stderr)).to.match(message)
    }
    const used = await program.run(['agent', 'delete', agent['id'], ...inAcme, '--yes'])
    expect(used).to.include({ code: 1 })
    expect(used.stderr).to.match(/extension 100/)
    await shown('extension delete', extension['id'], '--yes')
  })

  it('audit', async () => {
    const team = await json('team', 'create', '--name', 'Audited')
    await json('team', 'set', team['id'], '--name', 'Known')
    const log = await json(
      'audit',
      'list',
      '--filter',
      `target_id=${String(team['id'])}`,
      '--sort',
      'created_at',
    )
    const [created, updated] = log['data']
    expect(created).to.include({ action: 'team.create' })
    expect(updated).to.deep.include({
      action: 'team.update',
      changes: { name: { from: 'Audited', to: 'Known' } },
    })
    const table = await program.run([
      'audit',
      'list',
      ...inAcme,
      '--filter',
      'action=team.update',
      '--limit',
      '1',
    ])
    expect(table.stdout).to.match(
      /^CREATED AT +ACTOR +ACTION +TARGET +CHANGED\n\S+ +operator +team\.update +Known +name/,
    )
  })

  it('operator', async () => {
    const status = await program.json('operator', 'status')
    expect(status['state']).to.equal('ok')
    const parts = await program.run(['operator', 'status'])
    expect(parts.code).to.equal(0)
    expect(parts.stdout)
      .to.match(/^switch +up +sandbox /m)
      .and.to.match(/^live calls +0 +-$/m)
    const list = await program.json('operator', 'checklist')
    expect(list['is_complete']).to.equal(false)
    const told = await program.run(['operator', 'checklist'])
    expect(told.stdout).to.match(/^todo +switch: Calls run on the sandbox/m)
    expect(told.stdout).to.match(/^ +\$ npm run up$/m)
    expect(told.stdout).to.match(/^done +workspace: There are workspaces: 1\.$/m)
  })

  it('operator checklist, whose commands do what it asks for', async () => {
    const items = async (): Promise<{ id: string; state: string; command: string; docs: string }[]> =>
      (await program.json('operator', 'checklist'))['items']
    const asked = async (id: string) => (await items()).find((item) => item.id === id)
    const follow = async (id: string, placeholder = '', value = '') => {
      const { command = '' } = (await asked(id)) ?? {}
      const words = wordsOf(command.replace('npx jackfield ', '').replace(placeholder, value))
      const { code, stderr } = await program.run(words)
      expect(code, `${command}: ${stderr}`).to.equal(0)
    }
    for (const { docs } of await items()) expect(existsSync(`${root}${docs}`), docs).to.equal(true)
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
    const operators = async (command: string, ...args: string[]) => {
      const answer = await program.json(...command.split(' '), ...args)
      expectSnapshot(command.replaceAll(' ', '-'), answer)
      return answer
    }
    const deck = await operators('rate-deck create', '--title', 'Retail')
    const csv =
      'prefix,destination,price,connection_fee,minimum_seconds,increment_seconds\n53,Cuba,0.9,0.05,60,6\n'
    await operators('rate-deck import', deck['id'], await file('retail.csv', csv))
    await operators('rate-deck list', '--search', deck['id'])
    await operators('rate-deck show', deck['id'])
    await operators('rate-deck rates', deck['id'], '--filter', 'prefix=53')
    await operators('rate-deck set', deck['id'], '--title', 'Retail 2027')
    const exported = await program.run(['rate-deck', 'export', deck['id']])
    expect(exported.stdout).to.match(/^kind,prefix,.*\r\noutbound_call,53,Cuba,0.9,0.05,60,6,false,\r\n$/)
    await program.json('workspace', 'set', 'acme', '--rate-deck', deck['id'])
    await shown('rate-deck lookup', '+5371234567')
    const wrong = await program.run([
      'rate-deck',
      'import',
      deck['id'],
      await file('wrong.csv', 'prefix,price\nx,1\n'),
    ])
    expect(wrong).to.include({ code: 1 })
    expect(unwrapped(wrong.stderr)).to.match(/line 2: prefix must be the first 1 to 15 digits/)
    await program.json('workspace', 'set', 'acme', '--rate-deck', 'none')
    await operators('rate-deck delete', deck['id'], '--yes')
  })

  it('credit check, usage export', async () => {
    const checked = await program.json('credit', 'check', '--workspace', 'acme')
    expectSnapshot('credit-check', checked)
    const told = await program.run(['credit', 'check'])
    expect(told).to.include({ code: 0, stdout: 'The money of acme adds up.\n' })
    const heading = 'workspace_id,day,kind,rate_deck_id,prefix,count,seconds,segments,cost'
    for (const whose of [[], inAcme]) {
      const exported = await program.run([
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

  it('carrier', async () => {
    const operators = async (command: string, ...args: string[]) => {
      const answer = await program.json(...command.split(' '), ...args)
      expectSnapshot(command.replaceAll(' ', '-'), answer)
      return answer
    }
    const idle = ['--no-active', '--throughput', '50']
    const blue = await operators('carrier add', '--title', 'Blue', ...smsc, ...idle)
    const settings = { url: 'https://api.example.com/messages', body: '{"to": "{{to}}", "text": "{{body}}"}' }
    const green = await program.json(
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
    await operators('carrier status', blue['id'])
    const acl = await json('trunk', 'acl', 'create', '--title', 'Carrier', '--allow', '127.0.0.1')
    const number = await json(
      ...['number', 'connect', '--number', '2025550177', '--country', 'US', '--title', 'Texts'],
      ...['--acl', acl['id']],
    )
    const given = ['--carrier', green['id'], '--carrier', blue['id']]
    await shown('carrier assign', number['id'], ...given)
    await shown('number carriers', number['id'])
    const told = await program.run(['number', 'carriers', number['id'], ...inAcme])
    expect(told.stdout).to.match(/^ID +TITLE +KIND +IS ACTIVE\ncar_\S+ +Green +http +no\ncar_\S+ +Blue/)
    const used = await program.run(['carrier', 'delete', blue['id'], '--yes'])
    expect(used).to.include({ code: 1 })
    expect(used.stderr).to.equal('Error: The carrier Blue is used by number 12025550177\n')
    const none = await program.run(['carrier', 'assign', number['id'], ...inAcme, '--carrier', 'none'])
    expect(none.stdout).to.equal('The number has no SMS carrier: it sends and takes no messages.\n')
    const named = await program.run(['carrier', 'set', blue['id'], '--host', 'no host'])
    expect(named.stderr).to.equal('Error: settings.host must be a host name or an IP address (--host)\n')
    const asked = await program.run(['carrier', 'add', '--title', 'x', '--host', 'x', '--system-id', 'x'])
    expect(asked, 'nobody can be asked').to.include({ code: 2 })
    expect(unwrapped(asked.stderr)).to.match(/Missing --password-file/)
    const typed = await program.onTerminal(
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

  it('ai-provider', async () => {
    const operators = async (command: string, ...args: string[]) => {
      const answer = await program.json(...command.split(' '), ...args)
      expectSnapshot(command.replaceAll(' ', '-'), answer)
      return answer
    }
    const made = await operators(
      'ai-provider create',
      ...[
        '--name',
        'openai',
        '--key-file',
        await file('openai-key', 'sk-unseen\n'),
        '--model',
        'gpt-realtime',
      ],
      ...['--voice', 'marin=Marin', '--voice', 'cedar', '--price', '0.06'],
    )
    await operators('ai-provider show', made['id'])
    await operators('ai-provider list', '--search', 'openai')
    await operators('ai-provider set', made['id'], '--protocol', 'beta', '--transcription-model', 'none')
    const told = await program.run(['ai-provider', 'list'])
    expect(told.stdout)
      .to.match(/^ID +NAME +KIND +MODELS/)
      .and.to.match(/openai +openai_realtime +gpt-realtime/)
    const settings = {
      speech_to_text: { base_url: 'http://127.0.0.1:9999/v1', model: 'whisper-1' },
      text_to_speech: { base_url: 'http://127.0.0.1:9999/v1', model: 'kokoro', voice: 'af_heart' },
    }
    const models = [{ id: 'house-1', name: 'House', languages: ['en'] }]
    const house = await program.json(
      ...['ai-provider', 'create', '--name', 'house', '--kind', 'cascaded'],
      ...['--settings-file', await file('house.json', JSON.stringify(settings))],
      ...['--chat-url', 'http://127.0.0.1:9999/v1', '--chat-model', 'llama', '--chat-key', 'unseen'],
      ...['--models-file', await file('models.json', JSON.stringify(models))],
    )
    expect(house).to.deep.include({ models, secrets: ['chat.api_key'] })
    const named = await program.run(['ai-provider', 'set', house['id'], '--chat-url', 'ws://x.example'])
    expect(named.stderr).to.equal('Error: settings.chat.base_url must be an http or https URL (--chat-url)\n')
    await program.json('ai-provider', 'delete', house['id'], '--yes')

    await shown('voice-agent models')
    await shown('voice-agent voices')
    const key = ['--key-file', await file('own-key', 'unseen\n')]
    const untimed = { own_key_updated_at: '<time>' }
    const own = await json('voice-agent', 'provider', 'set-key', made['id'], ...key)
    expectSnapshot('voice-agent-provider-set-key', { ...own, ...untimed })
    const words = await program.run(['voice-agent', 'provider', 'set-key', made['id'], ...inAcme, ...key])
    expect(words.stdout).to.equal('Calls use your key with openai.\n')
    await shown('voice-agent provider delete-key', made['id'], '--yes')
    await shown('voice-agent provider list')
    await program.json('ai-provider', 'set', made['id'], '--no-active')
    await operators('ai-provider delete', made['id'], '--yes')
  })

  it('ai-provider test, voice-agent instructions', async () => {
    const server = await startAiServer('sk-unseen')
    try {
      const service = { base_url: server.baseUrl, model: 'a-model', api_key: 'sk-unseen' }
      const settings = {
        speech_to_text: service,
        chat: service,
        text_to_speech: { ...service, voice: 'ann' },
      }
      const provider = await program.json(
        ...['ai-provider', 'create', '--name', 'chain', '--kind', 'cascaded', '--model', 'house-1=House'],
        ...['--settings-file', await file('chain.json', JSON.stringify(settings))],
      )
      const test = ['ai-provider', 'test', provider['id']]
      const well = await program.run(test)
      expect(well, well.stderr).to.include({ code: 0 })
      expect(well.stdout).to.match(/^house-1 is ready for calls: it took \d+ ms\.$/m)

      const draft = { instructions: 'You answer for Acme.', greeting_message: 'Acme, good morning.' }
      server.answering = () => ({ text: JSON.stringify(draft) })
      const prompt = ['--prompt', 'Answers for Acme.']
      const first = await json('voice-agent', 'instructions', ...prompt)
      expect(first).to.include(draft)
      const next = ['--conversation', first['conversation'], '--prompt', 'Shorter.']
      expect(await json('voice-agent', 'instructions', ...next)).to.include(draft)
      expect(server.violations).to.deep.equal([])

      await server.stop()
      const down = await program.run(test)
      expect(down).to.include({ code: 1 })
      expect(down.stdout).to.match(/^house-1 is not ready for calls: ./m)
      const told = await program.run([...test, '--json'])
      expect(told).to.include({ code: 1 })
      expect(JSON.parse(told.stdout)).to.include({ model_id: 'house-1' })
      await program.json('ai-provider', 'delete', provider['id'], '--yes')
    } finally {
      await server.stop().catch(() => undefined)
    }
  })

  it('workspace, api-key, call', async () => {
    for (const [command, ...args] of [
      ['workspace create', 'beta', '--title', 'Beta', '--country', 'DE'],
      ['workspace list', '--search', 'beta'],
      ['workspace show', 'beta'],
      ['workspace set', 'beta', '--max-calls', '30', '--countries', 'DE,US', '--no-recording'],
    ] as const) {
      expectSnapshot(command.replace(' ', '-'), await program.json(...command.split(' '), ...args))
    }
    const inBeta = ['--workspace', 'beta']
    const key = await program.json('api-key', 'create', ...inBeta, '--scope', 'any', '--role', 'viewer')
    const hidden = { api_key: '<key>', secret: '<secret>' }
    expectSnapshot('api-key-create', { ...key, ...hidden })
    expectSnapshot('api-key-list', await program.json('api-key', 'list', ...inBeta))
    expectSnapshot('api-key-revoke', await program.json('api-key', 'revoke', key['sid'], ...inBeta, '--yes'))
    await program.json('demo', ...inBeta)
    const made = await program.run([
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
    expectSnapshot('call-events', await program.json('call', 'events', id, ...inBeta))
    expectSnapshot('call-show', await program.json('call', 'show', id, ...inBeta))
    expectSnapshot('call-list', await program.json('call', 'list', ...inBeta))
    const [number] = (await program.json('number', 'list', ...inBeta))['data']
    await program.json('number', 'set', number.id, ...inBeta, '--fee-per-segment', '0')
    const { id: carrier } = await program.json('carrier', 'add', '--title', 'Nobody', ...smsc)
    await program.json('carrier', 'assign', number.id, ...inBeta, '--carrier', carrier)
    const message = ['--from', '+12025550199', '--to', '+12025550142', '--body', 'Your order is ready']
    const sent = await program.json('message', 'send', ...inBeta, ...message)
    expectSnapshot('message-send', sent)
    // The carrier does not answer.
    const later = { status: '<status>', error_code: null, error_message: null }
    const listed = await program.json('message', 'list', ...inBeta)
    expectSnapshot('message-list', { ...listed, data: [{ ...listed['data'][0], ...later }] })
    expectSnapshot('message-show', {
      ...(await program.json('message', 'show', sent['id'], ...inBeta)),
      ...later,
    })
    expectSnapshot('workspace-delete', await program.json('workspace', 'delete', 'beta', '--yes'))
  })
})

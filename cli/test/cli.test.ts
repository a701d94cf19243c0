/** The command line as a shell runs it, against a real server on the sandbox. */
import { chmod, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { Program, unwrapped } from './program.js'

describe('jackfield', function () {
  this.timeout(120_000)
  let program: Program
  let config: string

  before(async () => {
    program = await Program.start({ isOneProcess: false })
    config = program.home
  })
  after(async () => program?.stop())

  const jackfield = async (args: string[], environment: Record<string, string> = {}) =>
    program.run(args, { environment })
  const json = async (...args: string[]) => program.json(...args)

  const inAcme = ['--workspace', 'acme'] as const

  it('creates a workspace, a key and credit exactly as documented', async () => {
    const workspace = await json('workspace', 'create', 'acme', '--title', 'Acme Inc.', '--country', 'US')
    expect(workspace).to.include({ id: 'acme', title: 'Acme Inc.', country_code: 'US', credit_balance: 0 })
    expect(Object.keys(workspace)).to.deep.equal([
      'id',
      'title',
      'country_code',
      'transfers_by',
      'is_suspended',
      'credit_balance',
      'credit_held',
      'credit_available',
      'max_concurrent_calls',
      'max_calls_per_second',
      'allowed_countries',
      'allow_premium_rate',
      'call_recording',
      'call_internal_recording',
      'call_signing',
      'max_spend_per_hour',
      'max_spend_per_day',
      'rate_deck_id',
      'spent_this_hour',
      'spent_today',
      'call_retention_days',
      'message_retention_days',
      'recording_retention_days',
      'ledger_retention_days',
      'webhook_delivery_retention_days',
      'audit_log_retention_days',
      'leaders_only_own_teams',
      'max_storage_mb',
      'storage_bytes',
      'created_at',
      'updated_at',
    ])
    const key = await json('api-key', 'create', ...inAcme, '--scope', 'full', '--role', 'owner')
    expect(key).to.include({ scope: 'full', role: 'owner', workspace_id: 'acme' })
    expect(key['api_key']).to.equal(`${String(key['sid'])}.${String(key['secret'])}`)
    const credit = await json('credit', 'add', ...inAcme, '--amount', '25')
    expect(credit).to.include({ workspace_id: 'acme', balance: 25 })
    expect(await json('credit', 'show', ...inAcme)).to.deep.equal({
      ...{ workspace_id: 'acme', balance: 25 },
      ...{ held: 0, available: 25 },
    })
    expect((await json('workspace', 'list'))['meta']).to.deep.equal({
      total: 1,
      page: 1,
      limit: 20,
      total_pages: 1,
    })
    expect(await json('workspace', 'show', 'acme')).to.include({ id: 'acme', credit_balance: 25 })
  })

  it('connects a number over a trunk, sets and activates it, and calls', async () => {
    const acl = await json(
      'trunk',
      'acl',
      'create',
      ...inAcme,
      '--title',
      'Carrier',
      '--allow',
      '127.0.0.1, 10.0.0.0/8',
    )
    expect(acl['allowed_ips']).to.deep.equal(['127.0.0.1', '10.0.0.0/8'])
    const gateway = await json(
      ...['trunk', 'gateway', 'create', ...inAcme, '--title', 'Carrier', '--caller-id', '+12025550199'],
      ...['--uri', 'carrier.sandbox', '--uri', 'two.sandbox:5070;transport=tls'],
      ...['--username', 'acme', '--password', 'secret'],
    )
    expect(gateway['outbound_uris']).to.deep.equal([
      { uri: 'carrier.sandbox', port: 5060, protocol: 'udp', priority: 1 },
      { uri: 'two.sandbox', port: 5070, protocol: 'tls', priority: 2 },
    ])
    expect(gateway['credential']).to.deep.equal({ username: 'acme' })
    const number = await json(
      ...['number', 'connect', ...inAcme, '--number', '2025550199', '--country', 'US', '--title', 'Main'],
      ...['--acl', String(acl['id']), '--gateway', String(gateway['id'])],
    )
    const id = String(number['id'])
    expect(number).to.include({ status: 'pending', number: '12025550199', enable_outbound: true })
    const set = await json('number', 'set', ...inAcme, id, '--capabilities', 'voice', '--status', 'active')
    expect(set).to.include({ status: 'active' })
    expect(set['capabilities']).to.deep.equal(['voice'])
    expect(await json('number', 'set', ...inAcme, id, '--title', 'Sales')).to.include({ title: 'Sales' })
    expect(await json('number', 'activate', ...inAcme, id)).to.include({ status: 'active' })
    const priced = await json('number', 'set', ...inAcme, id, '--fee-per-minute', '0.012')
    expect(priced).to.include({ fee_per_mins_call: 0.012 })
    for (const change of [[], ['--fee-per-minute', ''], ['--fee-per-month', 'Infinity']]) {
      expect(await jackfield(['number', 'set', ...inAcme, id, ...change])).to.include({ code: 2, stdout: '' })
    }
    expect((await json('number', 'show', ...inAcme, id))['fee_per_mins_call']).to.equal(0.012)
    expect((await json('number', 'show', ...inAcme, id))['acl']).to.include({ id: acl['id'] })

    const followed = await jackfield([
      'call',
      'make',
      ...inAcme,
      '--to',
      '+12025550100',
      '--say',
      'Hello',
      '--follow',
      '--json',
    ])
    const made = JSON.parse(followed.stdout) as { data: { call_id: string; job_status: string } }
    expect(made.data).to.include({ job_status: 'queued' })
    const events = await json('call', 'events', ...inAcme, made.data.call_id)
    expect(events['data'].map(({ event }: { event: string }) => event)).to.deep.equal([
      'call.created',
      'call.ringing',
      'call.answered',
      'call.action',
      'call.ended',
    ])
    expect(await json('call', 'show', ...inAcme, made.data.call_id)).to.include({ status: 'completed' })
    const capture = ['call', 'capture', made.data.call_id, ...inAcme]
    const saved = { file: 'call.pcap', size: 24 }
    expect(await json(...capture, '--output', 'call.pcap')).to.deep.equal(saved)
    // The sandbox has no edge: a file of the right kind without packets.
    const magicOfPcap = 'd4c3b2a1'
    expect((await readFile(join(config, 'call.pcap'))).toString('hex', 0, 4)).to.equal(magicOfPcap)
    const again = await jackfield([...capture, '--output', 'call.pcap'])
    expect(again.code).to.equal(2)
    expect(unwrapped(again.stderr)).to.match(/call\.pcap is there already/)
    const stranger = await jackfield(['call', 'capture', 'call_none', ...inAcme, '--output', 'none.pcap'])
    expect(stranger.code).to.equal(1)
    expect(stranger.stderr).to.match(/call_none not found/)
    const listed = await jackfield(['call', 'list', ...inAcme])
    expect(listed.stdout).to.match(/^ID +FROM +TO +STATUS +OUTCOME +DURATION +COST +CREATED AT\ncall_/)
  })

  it('acts on a live call and hangs it up', async () => {
    const made = await json('call', 'make', ...inAcme, '--to', '+12025550102')
    const id = String(made['data'].call_id)
    const early = await jackfield(['call', 'act', id, ...inAcme, '--actions', '[{"action":"hangup"}]'])
    expect(early.code).to.equal(1)
    expect(early.stderr).to.match(/must be started or active/)
    const pushed = ['call', 'act', id, ...inAcme, '--push', '--actions', '[{"action":"hangup"}]']
    expect((await jackfield(pushed)).stderr).to.match(/must be started or active/)
    expect(await json('call', 'hangup', ...inAcme, id)).to.include({ call_id: id })
  })

  it('adds audios from a file and from text', async () => {
    const file = join(config, 'tone.wav')
    await writeFile(file, Buffer.concat([wavHeader(16_000), Buffer.alloc(16_000, 1)]))
    expect(await json('audio', 'add', file, ...inAcme, '--title', 'Tone')).to.include({
      title: 'Tone',
      source: 'upload',
    })
    const spoken = await json('audio', 'add', ...inAcme, '--title', 'Hi', '--text', 'Hello')
    expect(spoken).to.include({ source: 'tts' })
    const slow = ['--voice', 'en-gb', '--speed', '0.5']
    const slowly = await json('audio', 'add', ...inAcme, '--title', 'Slow', '--text', 'Hello', ...slow)
    expect(slowly['duration']).to.be.greaterThan(spoken['duration'])
    expect((await json('audio', 'list', ...inAcme))['meta']).to.include({ total: 3 })
  })

  it('makes a newcomer’s first call in three commands', async () => {
    await json('workspace', 'create', 'newcomer', '--title', 'Newcomer', '--country', 'US')
    const number = await json('demo', '--workspace', 'newcomer')
    expect(number).to.include({ number: '12025550199', status: 'active' })
    expect(await json('demo', '--workspace', 'newcomer'), 'a second time changes nothing').to.include({
      id: number['id'],
    })
    expect(number['capabilities']).to.deep.equal(['voice', 'sms'])
    const { code, stderr } = await jackfield([
      'call',
      'make',
      '--workspace',
      'newcomer',
      '--to',
      '+12025550100',
      '--say',
      'Hi',
      '--follow',
    ])
    expect(code, stderr).to.equal(0)
    expect(stderr).to.match(/call\.ended +200 +NORMAL_CLEARING/)
  })

  it('keeps a profile that only its owner can read, and uses it', async () => {
    const key = await json('api-key', 'create', ...inAcme, '--scope', 'any', '--role', 'viewer')
    const url = `http://acme.localhost:${String(program.appliance.port)}`
    const login = ['login', '--url', url, '--profile', 'acme']
    const wrong = await jackfield([...login, '--api-key', 'sid-0.nonsense'], { JACKFIELD_HOME: config })
    expect(wrong.code).to.equal(1)
    const done = await jackfield([...login, '--api-key', String(key['api_key'])], { JACKFIELD_HOME: config })
    expect(done.code, done.stderr).to.equal(0)
    const path = join(config, 'jackfield', 'profiles.json')
    expect((await stat(path)).mode & 0o777).to.equal(0o600)
    expect(JSON.parse(await readFile(path, 'utf8')).profiles.acme).to.include({
      workspace: 'acme',
      baseDomain: 'localhost',
    })
    const listed = await jackfield(['number', 'list', '--profile', 'acme', '--json'], {
      JACKFIELD_HOME: config,
    })
    expect(JSON.parse(listed.stdout).data).to.have.length(1)
    const [number] = JSON.parse(listed.stdout).data as { id: string; title: string }[]
    const half = ['number', 'set', number!.id, '--profile', 'acme', '--title', 'Half', '--status', 'inactive']
    expect(await jackfield(half)).to.include({ code: 2 })
    expect((await json('number', 'show', ...inAcme, number!.id))['title']).to.equal(number!.title)
    const operator = await jackfield(['workspace', 'list', '--profile', 'acme'], { JACKFIELD_HOME: config })
    expect(operator).to.include({ code: 2 })
    expect(operator.stderr).to.match(/operator’s token/)

    const admin = `http://admin.localhost:${String(program.appliance.port)}`
    const token = join(config, 'token')
    await writeFile(token, `${program.appliance.operatorToken}\n`)
    const asOperator = await jackfield(['login', '--url', admin, '--operator-token-file', token])
    expect(asOperator.code, asOperator.stderr).to.equal(0)
    await chmod(path, 0o644)
    await jackfield(['login', '--url', url, '--api-key', String(key['api_key'])])
    expect((await stat(path)).mode & 0o777).to.equal(0o600)
    const own = await jackfield(['workspace', 'list'])
    expect(own, 'who has logged in is not the local operator').to.include({ code: 2 })
    await rm(path)
  })

  it('names what is missing or wrong, and how it was called', async () => {
    const cases: [args: string[], code: number, message: RegExp][] = [
      [['call', 'make', ...inAcme], 2, /Missing --to/],
      [['number', 'list'], 2, /Missing --workspace/],
      [['workspace', 'delete', 'acme'], 2, /Missing --yes/],
      [['api-key', 'create', ...inAcme, '--scope', 'everything', '--role', 'owner'], 2, /--scope/],
      [
        ['trunk', 'gateway', 'create', ...inAcme, '--title', 'x', '--caller-id', '1', '--uri', 'a b'],
        2,
        /--uri a b must be/,
      ],
      [['call', 'make', ...inAcme, '--to', '+12025550100', '--actions', '{'], 2, /--actions is not JSON/],
      [['number', 'show', ...inAcme, 'pn_none'], 1, /Phone number pn_none not found/],
      [
        ['number', 'connect', ...inAcme, '--number', '12', '--country', 'US', '--title', '', '--acl', 'x'],
        1,
        /number must be 6 to 14 digits/,
      ],
      [['credit', 'show', '--workspace', 'nobody'], 1, /Unknown workspace/],
    ]
    for (const [args, code, message] of cases) {
      const ran = await jackfield(args)
      expect(unwrapped(ran.stderr), args.join(' ')).to.match(message)
      expect(ran.code, args.join(' ')).to.equal(code)
    }
    for (const args of [
      ['call', 'make', ...inAcme],
      ['api-key', 'create', ...inAcme, '--scope', 'everything'],
      ['credit', 'add', ...inAcme, '--amount', 'lots'],
    ]) {
      const ran = await jackfield([...args, '--json'])
      expect(ran, 'the API has answered nothing').to.include({ code: 2, stdout: '' })
      expect(ran.stderr).to.match(/--(to|scope|amount)/)
    }
    const lines = await jackfield(['workspace', 'create', 'A b', '--title', '', '--country', 'USA'])
    expect(lines.stderr.trim().split('\n'), 'a line a field').to.have.length(3)
    expect((await jackfield(['cal', 'make'])).stderr).to.match(/did you mean jackfield call make\?/)
    const nowhere = await jackfield(['workspace', 'list'], { JACKFIELD_HOME: config })
    expect(nowhere.code).to.equal(2)
    const failed = await jackfield(['number', 'show', ...inAcme, 'pn_none', '--json'])
    expect(failed.code).to.equal(1)
    expect(JSON.parse(failed.stdout)).to.include({ statusCode: 404, error: 'Not Found' })
  })

  it('has a description and an example for every command', async () => {
    const { stdout } = await jackfield(['--help'])
    for (const topic of ['api-key', 'audio', 'call', 'credit', 'number', 'trunk', 'workspace']) {
      expect(stdout).to.match(new RegExp(`^  ${topic} `, 'm'))
    }
    const help = await jackfield(['trunk', 'gateway', 'create', '--help'])
    expect(help.stdout).to.match(/EXAMPLES\n {2}\$ jackfield trunk gateway create/)
  })

  it('deletes what it made', async () => {
    const [number] = (await json('number', 'list', ...inAcme))['data'] as { id: string }[]
    const [acl] = (await json('trunk', 'acl', 'list', ...inAcme))['data'] as { id: string }[]
    const used = await jackfield(['trunk', 'acl', 'delete', acl!.id, ...inAcme, '--yes'])
    expect(unwrapped(used.stderr)).to.match(/used by number 12025550199/)
    await json('number', 'delete', number!.id, ...inAcme, '--yes')
    await json('trunk', 'acl', 'delete', acl!.id, ...inAcme, '--yes')
    expect(await json('workspace', 'delete', 'acme', '--yes')).to.include({ id: 'acme' })
  })
})

function wavHeader(bytes: number): Buffer {
  const header = Buffer.from('RIFF....WAVEfmt ....................data....', 'latin1')
  header.writeUInt32LE(36 + bytes, 4)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(8_000, 24)
  header.writeUInt32LE(16_000, 28)
  header.writeUInt16LE(2, 32)
  header.writeUInt16LE(16, 34)
  header.writeUInt32LE(bytes, 40)
  return header
}

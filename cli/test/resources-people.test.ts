/** Commands of who works with the platform and what they see of it: agents, contacts, webhooks, credit, the audit log. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { inAcme, useAcme } from './acme.js'
import { unwrapped } from './program.js'
import { expectSnapshot } from './snapshots.js'

describe('resources: people', function () {
  this.timeout(60_000)
  const acme = useAcme()
  const { json, shown, file } = acme

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
    const wrong = await acme.program.run(['agent', 'set', ...inAcme, id, '--role', 'suprvisor', '--json'])
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
    const report = await acme.program.run(['agent', 'import', '-', ...inAcme, '--json'], {
      stdin: heading + lines.join('\n'),
    })
    expectSnapshot('agent-import', JSON.parse(report.stdout))
    const bert = (await json('agent', 'list', '--search', 'bert'))['data']
    expect(bert[0]).to.include({ role: 'leader', display_name: 'Bert Müller', is_active: true })
    const pixel =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    const picture = join(acme.program.home, 'anna.png')
    await writeFile(picture, Buffer.from(pixel, 'base64'))
    expect((await json('agent', 'avatar', id, picture))['avatar']).to.match(/\.png$/)

    expect(await json('agent', 'delete', id, '--yes')).to.include({ id })
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

  it('profile, usage, audio, credit', async () => {
    expect(await json('profile', 'set', '--title', 'Acme Inc.')).to.include({
      id: 'acme',
      title: 'Acme Inc.',
    })
    const profile = await acme.program.run(['profile', 'show', ...inAcme])
    expect(profile.stdout).to.match(/^phone_numbers +\d of 100$/m)
    expect(
      await json('usage', '--from', '2026-01-01', '--to', '2026-02-01', '--group-by', 'month'),
    ).to.include({
      from: '2026-01-01',
      group_by: 'month',
    })
    const usage = await acme.program.run(['usage', ...inAcme])
    expect(usage.stdout).to.match(/^PERIOD .* COST +MESSAGES +SEGMENTS +MESSAGE COST\ntotal +-( +0){6}\n$/)
    expect((await acme.program.run(['usage', ...inAcme, '--csv'])).stdout).to.equal(
      'period,direction,calls,seconds,cost,messages,segments,message_cost\r\n',
    )
    const audio = await json('audio', 'add', '--title', 'Hello', '--text', 'Hello')
    await shown('audio set', audio['id'], '--title', 'Welcome')
    await shown('audio show', audio['id'])
    await shown('audio delete', audio['id'], '--yes')
    const added = ['credit', 'add', ...inAcme, '--amount', '5', '--note', 'first', '--key', 'transfer-17']
    for (let sent = 0; sent < 2; sent++) expect(await acme.program.json(...added)).to.include({ balance: 5 })
    await shown('credit correct', '--amount=-2', '--note', 'too much')
    const negative = await acme.program.run(['credit', 'add', ...inAcme, '--amount', '-2'])
    expect(negative).to.include({ code: 1 })
    expect(negative.stderr).to.include('amount must be more than 0')
    await shown('credit entries')
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
    const resend = await acme.program.run(['webhook', 'resend', id, sent['id'], ...inAcme, '--json'])
    expect(JSON.parse(resend.stdout)).to.satisfy(
      (answer: Record<string, unknown>) => answer['id'] !== undefined || answer['statusCode'] === 409,
    )
    expect(await json('webhook', 'delete', id, '--yes')).to.include({ id })
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
    const table = await acme.program.run([
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
})

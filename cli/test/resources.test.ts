/** Every resource's commands against a real server; the `--json` outputs are held by snapshots. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { Program, unwrapped } from './program.js'
import { expectSnapshot } from './snapshots.js'

const inAcme = ['--workspace', 'acme']

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
    await shown('trunk gateway set', gateway['id'], '--title', 'Other')
    await shown('trunk gateway show', gateway['id'])
    const number = await shown(
      'number connect',
      ...['--number', '2025550199', '--country', 'US', '--title', 'Main', '--acl', acl['id']],
      ...['--gateway', gateway['id']],
    )
    await shown('number list')
    await shown('number show', number['id'])
    await shown('number set', number['id'], '--title', 'Sales', '--record-outbound', '--no-outbound')
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
})

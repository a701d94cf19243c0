/** Imports of CSV files: what is read, what is refused and why, what is made, and what the terminal shows. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { rowsOf } from '../src/import/csv-rows.js'
import { Program, unwrapped } from './program.js'
import { expectSnapshot } from './snapshots.js'

const inAcme = ['--workspace', 'acme']

describe('a CSV file', () => {
  const read = (text: string) => rowsOf(text, 'x.csv').rows

  it('is read as spreadsheets write it', () => {
    const wanted = [
      { line: 2, values: { name: 'Müller, "old"', note: 'two\nlines' } },
      { line: 4, values: { name: 'Anna' } },
    ]
    const text = '\ufeffname,note\r\n"Müller, ""old""","two\nlines"\r\nAnna,\r\n'
    expect(read(text)).to.deep.equal(wanted)
    expect(read('name;note\nA,B;C')).to.deep.equal([{ line: 2, values: { name: 'A,B', note: 'C' } }])
    expect(read('name\tnote\nA\tB')).to.deep.equal([{ line: 2, values: { name: 'A', note: 'B' } }])
    expect(read("name,note\n'=cmd(),'+1"), 'what was defused is itself again').to.deep.equal([
      { line: 2, values: { name: '=cmd()', note: "'+1" } },
    ])
  })

  it('keeps its good lines when others cannot be read', () => {
    expect(read('name,note\nA\n\nB,1\n"C"x,2\nD,3,4\nE,5')).to.deep.equal([
      { line: 2, values: {}, problem: 'it has 1 cells, the heading has 2' },
      { line: 4, values: { name: 'B', note: '1' } },
      { line: 5, values: { name: '"C"x', note: '2' } },
      { line: 6, values: {}, problem: 'it has 3 cells, the heading has 2' },
      { line: 7, values: { name: 'E', note: '5' } },
    ])
    const [good, open] = read('name,note\nA,1\nB,"2\nC,3')
    expect(good).to.deep.equal({ line: 2, values: { name: 'A', note: '1' } })
    expect(open?.problem).to.match(/Quote Not Closed/)
    expect(() => read('')).to.throw('no heading')
    expect(() => read('a,a\n1,2')).to.throw('twice')
  })
})

describe('import', function () {
  this.timeout(60_000)
  let program: Program
  let acl: string
  let path: string

  before(async () => {
    program = await Program.start()
    path = join(program.home, 'numbers.csv')
    await program.json('workspace', 'create', 'acme', '--title', 'Acme', '--country', 'US')
    const made = await program.json(
      ...['trunk', 'acl', 'create', ...inAcme, '--title', 'Carrier', '--allow', '127.0.0.1'],
    )
    acl = String(made['id'])
  })
  after(async () => program?.stop())

  const importNumbers = async (...args: string[]) =>
    program.run(['number', 'import', path, ...inAcme, ...args])
  const heading = 'number,country_code,title,inbound_acl_id,enable_outbound\r\n'

  it('tells a wrong heading once, before anything is sent', async () => {
    const cases: [text: string, message: RegExp][] = [
      ['number,contry_code,title\n1,US,x', /no column contry_code: did you mean country_code\?/],
      ['number,price\n1,2', /no column price: it is one of title, number/],
      ['number,title\n1,x', /lacks country_code, inbound_acl_id, enable_outbound/],
      ['', /has no heading/],
    ]
    for (const [text, message] of cases) {
      await writeFile(path, text)
      const ran = await importNumbers()
      expect(ran).to.include({ code: 2, stdout: '' })
      expect(unwrapped(ran.stderr)).to.match(message)
    }
    await writeFile(path, Buffer.from('number,title\n1,M\xfcller', 'latin1'))
    expect(unwrapped((await importNumbers()).stderr)).to.match(/is not UTF-8/)
    expect((await program.run(['number', 'import', 'none.csv', ...inAcme])).stderr).to.match(/cannot be read/)
    expect(unwrapped((await importNumbers('--set', 'titel=x')).stderr)).to.match(/none|not UTF-8/)
  })

  it('makes what is good, tells what is not, and can be repeated', async () => {
    await writeFile(
      path,
      [
        heading.trim(),
        `2025550101,US,"Main, one",${acl},false`,
        `12,US,Short,${acl},maybe`,
        `2025550101,US,Again,${acl},false`,
        `2025550102,US,Foreign,acl_none,no`,
        `2025550103,XX,Nowhere,${acl},no`,
        `2025550104,US`,
        `2025550105,US,Second,,no`,
      ].join('\r\n'),
    )
    const rehearsed = await importNumbers('--set', `inbound_acl_id=${acl}`, '--dry-run', '--json')
    expect(rehearsed.code).to.equal(1)
    expectSnapshot('number-import-dry-run', { ...JSON.parse(rehearsed.stdout), file: 'numbers.csv' })
    expect((await program.json('number', 'list', ...inAcme))['meta']).to.include({ total: 0 })

    const ran = await importNumbers('--set', `inbound_acl_id=${acl}`)
    expect(ran.code).to.equal(1)
    expect(ran.stdout).to.match(/^LINE +KEY +FIELD +PROBLEM\n3 +US 12 +number +number must be 6 to 14 digits/)
    expect(ran.stdout).to.match(/\n6 +XX 2025550103 +number +number is not a possible number of XX\n/)
    expect(ran.stdout).to.match(/\n2 created, 0 there already, 5 failed\.\n$/)
    expect(ran.stderr, 'no bar where there is no terminal').to.equal('')
    const again = await importNumbers('--set', `inbound_acl_id=${acl}`, '--json')
    expectSnapshot('number-import-again', { ...JSON.parse(again.stdout), file: 'numbers.csv' })

    await writeFile(path, `${heading}2025550101,US,Main,${acl},false`)
    const done = await importNumbers()
    expect(done, 'what is there already is no failure').to.include({ code: 0 })
    const { stdout } = await program.run(['number', 'import', '-', ...inAcme, '--dry-run'], {
      stdin: `${heading}2025550106,US,From stdin,${acl},yes`,
    })
    expect(stdout).to.equal('1 would be created, 0 there already, 0 failed.\n')
  })

  it('takes what another import has made meanwhile for what is there', async () => {
    const file = join(program.home, 'phones.csv')
    const rows = Array.from({ length: 150 }, (_, index) => `phone${String(index)},a secret,Phone`)
    await writeFile(file, ['username,password,title', ...rows].join('\n'))
    const both = await Promise.all(
      [1, 2].map(async () => program.run(['sip-account', 'import', file, ...inAcme, '--json'])),
    )
    const reports = both.map(({ stdout }) => JSON.parse(stdout).counts as Record<string, number>)
    expect(reports.map(({ failed }) => failed)).to.deep.equal([0, 0])
    expect(reports.map(({ created = 0 }) => created).reduce((one, other) => one + other)).to.equal(150)
    expect(both.map(({ code }) => code)).to.deep.equal([0, 0])
  })

  it('stops where no line can succeed', async () => {
    const key = await program.json('api-key', 'create', ...inAcme, '--scope', 'any', '--role', 'viewer')
    const url = `http://acme.localhost:${String(program.appliance.port)}`
    await program.run(['login', '--url', url, '--api-key', String(key['api_key']), '--profile', 'reader'])
    const rows = Array.from({ length: 30 }, (_, index) => `20255502${String(index + 10)},US,x,${acl},no`)
    await writeFile(path, heading + rows.join('\r\n'))
    const ran = await program.run(['number', 'import', path, '--profile', 'reader'])
    expect(ran.code).to.equal(1)
    expect(ran.stderr).to.match(/The import was stopped: .*scope/)
    const [, failed, untried] = /0 created.* (\d+) failed, (\d+) not tried/.exec(ran.stdout) ?? []
    expect(Number(failed) + Number(untried)).to.equal(30)
    expect(Number(failed), 'a few were under way').to.be.within(1, 4)
  })

  it('shows a bar on a terminal', async () => {
    const rows = Array.from({ length: 40 }, (_, index) => `20255503${String(index + 10)},US,x,${acl},no`)
    await writeFile(path, heading + rows.join('\r\n'))
    const { code, stdout: screen } = await program.onTerminal(['number', 'import', path, ...inAcme])
    expect(code, screen).to.equal(0)
    expect(screen).to.match(/░ 0\/40 lines, 0 failed/)
    expect(screen).to.match(/40 created, 0 there already, 0 failed\./)
  })
})

/** What all lists can do: columns, sorting, filters, pages, CSV, JSON. */
import { expect } from 'chai'
import { Program, type Ran, unwrapped } from './program.js'

const inAcme = ['--workspace', 'acme']

describe('lists', function () {
  this.timeout(60_000)
  let program: Program

  before(async () => {
    program = await Program.start()
    await program.json('workspace', 'create', 'acme', '--title', 'Acme', '--country', 'US')
    for (const [title, allow] of [
      ['Beta', '192.0.2.2'],
      ['=cmd()', '192.0.2.3, 192.0.2.4'],
      ['Alpha, "old"', '192.0.2.1'],
    ] as const) {
      await program.json('trunk', 'acl', 'create', ...inAcme, '--title', title, '--allow', allow)
    }
    await program.json(
      ...['trunk', 'acl', 'create', ...inAcme, '--title', 'Names', '--mode', 'domain'],
      ...['--allow', 'sip.carrier.example'],
    )
  })
  after(async () => program?.stop())

  const acls = async (...args: string[]): Promise<Ran> =>
    program.run(['trunk', 'acl', 'list', ...inAcme, ...args])
  const lines = ({ stdout }: Ran) => stdout.trimEnd().split('\n')

  it('shows the columns that are asked for', async () => {
    expect(lines(await acls('--columns', 'title,mode'))[0]).to.match(/^TITLE +MODE$/)
    expect(lines(await acls())[0]).to.match(/^ID +TITLE +MODE +ALLOWED IPS$/)
    const wrong = await acls('--columns', 'titel')
    expect(wrong).to.include({ code: 2, stdout: '' })
    expect(unwrapped(wrong.stderr)).to.match(/there is no column titel: did you mean title\?/)
    expect(unwrapped((await acls('--columns', 'price')).stderr)).to.match(/it is one of id, title, mode/)
    expect(await acls('--columns', ',')).to.include({ code: 2 })
  })

  it('sorts by the API where it can, and by itself where it cannot', async () => {
    const titles = async (...args: string[]) => lines(await acls('--columns', 'title', ...args)).slice(1)
    expect(await titles('--sort', 'title')).to.deep.equal(['=cmd()', 'Alpha, "old"', 'Beta', 'Names'])
    expect(await titles('--sort', '-title')).to.deep.equal(['Names', 'Beta', 'Alpha, "old"', '=cmd()'])
    const byApi = await acls('--sort', 'title', '--limit', '1')
    expect(byApi.stderr).to.equal('Page 1 of 4, 4 in all.\n')
    const here = await acls('--sort', '-allowed_ips', '--limit', '2', '--columns', 'title')
    expect(lines(here)).to.deep.equal(['TITLE', 'Names', 'Alpha, "old"'])
    expect(here.stderr).to.match(/Only this page is sorted by allowed_ips: --all takes every page/)
    const all = await acls('--sort', '-allowed_ips', '--all', '--columns', 'title')
    expect(lines(all)[1]).to.equal('Names')
    expect(all.stderr).to.equal('')
    expect(unwrapped((await acls('--sort', 'tilte')).stderr)).to.match(/did you mean title/)
  })

  it('filters by a column’s value, also within lists', async () => {
    const found = await acls('--filter', 'mode=domain', '--columns', 'title')
    expect(lines(found)).to.deep.equal(['TITLE', 'Names'])
    expect(lines(await acls('--filter', 'allowed_ips=192.0.2.4', '--columns', 'title'))[1]).to.equal('=cmd()')
    const both = await acls('--filter', 'mode=ip', '--filter', 'title=BETA', '--json')
    expect(JSON.parse(both.stdout).data).to.have.length(1)
    const none = await acls('--filter', 'title=', '--limit', '2')
    expect(none).to.include({ code: 0, stdout: '' })
    expect(none.stderr).to.match(/^None\.\n.*\nOnly this page is filtered by title/)
    expect(await acls('--filter', 'title')).to.include({ code: 2 })
  })

  it('prints CSV that spreadsheets read and do not run', async () => {
    const { stdout } = await acls('--csv', '--columns', 'title,allowed_ips', '--sort', 'title')
    expect(stdout).to.equal(
      [
        'title,allowed_ips',
        "'=cmd(),192.0.2.3;192.0.2.4",
        '"Alpha, ""old""",192.0.2.1',
        'Beta,192.0.2.2',
        'Names,sip.carrier.example',
        '',
      ].join('\r\n'),
    )
    expect((await acls('--csv', '--search', 'nothing', '--columns', 'id')).stdout).to.equal('id\r\n')
    expect(await acls('--csv', '--json')).to.include({ code: 2, stdout: '' })
  })

  it('prints pages and all of them as JSON', async () => {
    const page = JSON.parse((await acls('--limit', '3', '--page', '2', '--json')).stdout)
    expect(page.meta).to.deep.equal({ total: 4, page: 2, limit: 3, total_pages: 2 })
    expect(page.data).to.have.length(1)
    const all = JSON.parse((await acls('--all', '--json')).stdout)
    expect(all.meta).to.deep.equal({ total: 4, page: 1, limit: 4, total_pages: 1 })
  })
})

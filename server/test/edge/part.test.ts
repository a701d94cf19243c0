import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { databaseOfKamailio, kamailioPart, type KamailioOptions, startKamailio } from '../support/kamailio.js'
import { sharedMariadb } from '../support/mariadb.js'

const run = promisify(execFile)

describe('edge: the installer’s part', function () {
  this.timeout(40_000)
  let options: KamailioOptions

  beforeEach(async () => {
    options = {
      directory: await mkdtemp(join(tmpdir(), 'jackfield-part-')),
      ...{ sipHost: '127.0.0.1', sipPort: 5060, tlsPort: 5061, wsPort: 5066, wssPort: 5067 },
      ...{ privateHost: '127.0.0.2', privatePort: 5060 },
      ...{
        rpcHost: '127.0.0.1',
        rpcPort: 5070,
        rpcSecret: 'secret-of-the-tests',
        switchHost: '127.0.0.1',
        switchPort: 5080,
      },
      sipDomain: 'sip.localhost',
      database: { host: '127.0.0.1', port: 3306, user: 'kamailio', password: 'secret', name: 'jackfield' },
    }
  })
  afterEach(async () => rm(options.directory, { recursive: true, force: true }))

  const refusal = async (overrides: Partial<KamailioOptions>): Promise<string> => {
    const { prepareKamailio } = await kamailioPart()
    return prepareKamailio({ ...options, ...overrides }).then(
      () => 'accepted',
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    )
  }

  it('makes a configuration that Kamailio accepts', async () => {
    const { prepareKamailio } = await kamailioPart()
    const { command, args } = await prepareKamailio(options)
    // -c reads it all without starting, and ends with a failure when something is wrong
    await run(command, [...args.filter((argument) => argument !== '-DD'), '-c'], { timeout: 20_000 })
  })

  it('leaves no placeholder, shows no secret, and keeps its certificate', async () => {
    const { prepareKamailio } = await kamailioPart()
    const { args } = await prepareKamailio(options)
    expect(args.join(' ')).not.to.include(options.rpcSecret)
    const files = (await readdir(options.directory, { recursive: true })).filter((name) =>
      name.endsWith('.cfg'),
    )
    for (const name of files) {
      expect(await readFile(join(options.directory, name), 'utf8'), name).not.to.match(/@@\w+@@/)
      expect((await stat(join(options.directory, name))).mode & 0o077, name).to.equal(0)
    }
    const certificate = join(options.directory, 'tls/server.crt')
    const first = await readFile(certificate, 'utf8')
    await prepareKamailio(options)
    expect(await readFile(certificate, 'utf8')).to.equal(first)
  })

  it('says in one line what is wrong', async () => {
    expect(await refusal({ sipHost: '0.0.0.0' })).to.match(/sipHost/)
    expect(await refusal({ rpcSecret: 'short' })).to.match(/rpcSecret/)
    expect(await refusal({ database: { ...options.database, password: 'p@ss' } })).to.match(/this password/)
    expect(await refusal({ binary: '/nowhere/kamailio' })).to.match(/install the packages kamailio/)
    expect(await refusal({ tlsCaFile: '/nowhere/ca.pem' })).to.match(/JACKFIELD_SIP_TLS_CA_FILE/)
    expect(await refusal({ tlsOnlyCaFile: true })).to.match(/JACKFIELD_SIP_TLS_ONLY_CA_FILE/)
  })

  it('is ready when all of its processes are, however long the database makes one wait', async () => {
    const mariadb = await sharedMariadb()
    const name = await mariadb.createDatabase()
    await mariadb.migrate(name)
    let connections = 0
    const way = createServer((socket) => {
      connections += 1
      const onwards = connect(mariadb.port, mariadb.host)
      for (const end of [socket, onwards]) end.on('error', () => undefined)
      onwards.pipe(socket)
      setTimeout(() => socket.pipe(onwards), connections === 10 ? 1000 : 0)
    })
    way.listen(0, '127.0.0.1')
    await once(way, 'listening')
    const { port } = way.address() as AddressInfo
    const edge = await startKamailio({ database: { ...databaseOfKamailio(mariadb, name), port } })
    try {
      const processes = (await edge.rpc('core.psa')) as { status: number; description: string }[]
      expect(processes.filter(({ status }) => status !== 1)).to.deep.equal([])
      expect(connections).to.be.at.least(10)
    } finally {
      await edge.stop()
      way.close()
    }
  })
})

import { expect } from 'chai'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '../support/api-client.js'
import { Baresip } from '../support/baresip.js'
import { Child } from '../support/child.js'
import { Sipp } from '../support/sipp.js'
import { SipPhone } from '../support/sip-phone.js'
import { EdgeWorld } from './accounts.js'
import { ask, sipRequest } from './calls.js'

describe('edge: phones and scanners that others made', function () {
  this.timeout(40_000)
  let world: EdgeWorld
  before(async () => {
    world = await EdgeWorld.start()
  })
  after(async () => world?.stop())

  for (const transport of ['udp', 'tcp'] as const) {
    it(`SIPp registers over ${transport}`, async () => {
      const { sipHost, sipPort } = world.edge.options
      const { username, domain, password } = await world.account()
      const sipp = await Sipp.start({
        ...{ scenario: 'register', transport, remote: `${sipHost}:${sipPort}` },
        values: { USERNAME: username, DOMAIN: domain, PASSWORD: password },
      })
      try {
        expect(await sipp.finished(10_000), await sipp.errors()).to.equal(true)
        expect(await world.registrations(username)).to.have.length(1)
      } finally {
        await sipp.stop()
      }
    })
  }

  for (const transport of ['udp', 'tcp', 'tls'] as const) {
    it(`baresip registers over ${transport}, and not with a wrong password`, async () => {
      const { sipHost, sipPort, tlsPort } = world.edge.options
      const port = transport === 'tls' ? tlsPort : sipPort
      const proxy = `sip:${sipHost}:${port};transport=${transport}`
      const [right, wrong] = [await world.account(), await world.account()]
      const phones = [
        await Baresip.start({ ...right, proxy }),
        await Baresip.start({ ...wrong, proxy, password: 'wrong' }),
      ]
      try {
        await eventually(
          async () => world.registrations(right.username),
          (rows) => rows.length === 1,
          { withinMs: 10_000, what: `registration: ${phones[0]?.output}` },
        )
        await eventually(
          async () => Promise.resolve(phones[1]?.output ?? ''),
          (output) => /\b40[13]\b/.test(output),
          { withinMs: 10_000, what: 'refusal' },
        )
        expect(await world.registrations(wrong.username)).to.have.length(0)
      } finally {
        await Promise.all(phones.map(async (phone) => phone.stop()))
      }
    })
  }

  describe('sipsak', () => {
    const edge = () => `${world.edge.options.sipHost}:${world.edge.options.sipPort}`
    const sipsak = async (...args: string[]): Promise<number | null> => {
      const child = await Child.start('sipsak', args)
      try {
        return await child.exitCode(8_000)
      } finally {
        await child.stop(100)
      }
    }

    it('asks and registers where its address is known: somebody registered from there', async () => {
      const account = await world.account()
      const { domain, password } = account
      const phone = await SipPhone.open(world.edge.options, account)
      try {
        expect((await phone.register()).status).to.equal(200)
      } finally {
        phone.close()
      }
      expect(await sipsak('-s', `sip:${edge()}`)).to.equal(0)
      const other = await world.account()
      const registers = async (secret: string) =>
        sipsak(
          ...['-U', '-u', other.username, '-a', secret, '-p', edge(), '-x', '300'],
          ...['-C', `sip:${other.username}@127.0.0.1:5099`, '-s', `sip:${other.username}@${domain}`],
        )
      expect(await registers(password)).not.to.equal(0)
      expect(await world.registrations(other.username)).to.have.length(0)
      expect(await registers(other.password)).to.equal(0)
      const [registration] = await world.registrations(other.username)
      expect(registration?.contact).to.equal(`sip:${other.username}@127.0.0.1:5099`)
    })

    it('hears nothing as a stranger, since scanners use its name', async () => {
      const asks = sipRequest('OPTIONS', 'sip:127.0.0.1', '127.0.0.96', {
        extra: ['User-Agent: sipsak 0.9.8.1'],
      })
      const { sipHost: host, sipPort: port } = world.edge.options
      expect(await ask(asks, { host, port }, '127.0.0.96', 300)).to.equal(undefined)
    })
  })

  describe('sipvicious', () => {
    let home: string
    before(async () => {
      home = await mkdtemp(join(tmpdir(), 'jackfield-sipvicious-'))
      await world.account('1001')
    })
    after(async () => rm(home, { recursive: true, force: true }))

    const run = async (command: string, args: string[], bound: string): Promise<string> => {
      const child = await Child.start(command, ['-b', bound, ...args], { env: { HOME: home }, cwd: home })
      try {
        // what has found nothing in six seconds is given up
        await child.exitCode(6_000).catch(() => undefined)
        return child.output
      } finally {
        await child.stop(100)
      }
    }

    it('finds no server', async () => {
      const { sipHost, sipPort } = world.edge.options
      const output = await run('svmap', ['-p', String(sipPort), sipHost], '127.0.0.91')
      expect(output).to.match(/found nothing/i)
    })

    it('finds no accounts, also under another name', async () => {
      const { sipHost, sipPort, sipDomain } = world.edge.options
      const disguise = await Disguise.start('127.0.0.92', sipPort, sipHost)
      try {
        for (const port of [sipPort, disguise.port]) {
          const target = port === sipPort ? sipHost : '127.0.0.92'
          const args = ['-e', '1000-1003', '--domain', `acme.${sipDomain}`, '-p', String(port), target]
          const output = await run('svwar', ['--maximumtime', '3', ...args], '127.0.0.93')
          expect(output).not.to.match(/\| *1001 *\|/)
        }
        expect(disguise.answers).to.be.above(0)
      } finally {
        disguise.stop()
      }
    })

    it('guesses no password, also under another name', async () => {
      const { sipHost, sipPort } = world.edge.options
      const disguise = await Disguise.start('127.0.0.94', sipPort, sipHost)
      try {
        for (const port of [sipPort, disguise.port]) {
          const target = port === sipPort ? sipHost : '127.0.0.94'
          const args = ['-u', '1001', '-r', '1-60', '-p', String(port), target]
          const output = await run('svcrack', ['--maximumtime', '3', ...args], '127.0.0.95')
          expect(output).not.to.match(/\| *1001 *\|/)
        }
      } finally {
        disguise.stop()
      }
    })
  })
})

/** Passes SIP on to the edge under the name of an honest phone. */
class Disguise {
  answers = 0

  private constructor(
    private readonly inside: Socket,
    private readonly outside: Socket,
  ) {}

  static async start(host: string, port: number, target: string): Promise<Disguise> {
    const [inside, outside] = [createSocket('udp4'), createSocket('udp4')]
    inside.bind(0, host)
    outside.bind(0, host)
    await Promise.all([once(inside, 'listening'), once(outside, 'listening')])
    const disguise = new Disguise(inside, outside)
    inside.on('message', (message, from) => {
      disguise.back = from
      outside.send(message.toString().replace(/friendly-scanner/g, 'Yealink SIP-T46S'), port, target)
    })
    outside.on('message', (message) => {
      disguise.answers++
      if (disguise.back) inside.send(message, disguise.back.port, disguise.back.address)
    })
    return disguise
  }

  private back: { address: string; port: number } | undefined

  get port(): number {
    return this.inside.address().port
  }

  stop(): void {
    this.inside.close()
    this.outside.close()
  }
}

/** The link to the switch and its channels, against the sandbox's Event Socket and that of a real FreeSWITCH. */
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { pino } from 'pino'
import { EventSocketServer } from '../../src/sandbox/event-socket-server.js'
import { SandboxSwitch } from '../../src/sandbox/sandbox-switch.js'
import { ChannelEndedError } from '../../src/adapters/freeswitch/channel-end.js'
import {
  SwitchDownError,
  SwitchRefusedError,
  SwitchTimeoutError,
} from '../../src/adapters/freeswitch/errors.js'
import { SwitchLease } from '../../src/adapters/freeswitch/switch-lease.js'
import { SwitchLink } from '../../src/adapters/freeswitch/switch-link.js'
import { type DialRequest, Switchboard } from '../../src/adapters/freeswitch/switchboard.js'
import { eventually } from '../support/api-client.js'
import { availableSwitches } from '../support/appliance.js'
import { startFreeswitch } from '../support/freeswitch.js'
import { Carrier } from '../support/sipp.js'
import { TcpCut } from '../support/tcp-cut.js'

const log = pino({ level: 'silent' })

interface Bench {
  port: number
  password: string
  /** Where test numbers answer. */
  carrier: { host: string; port: number }
  stop(): Promise<void>
}

async function startSwitch(kind: string): Promise<Bench> {
  if (kind === 'sandbox') {
    const sandbox = new SandboxSwitch('')
    const server = new EventSocketServer(sandbox, 'secret')
    const port = await server.listen('127.0.0.1', 0)
    return {
      port,
      password: 'secret',
      carrier: { host: 'carrier.sandbox', port: 5060 },
      stop: async () => {
        sandbox.stop()
        await server.close()
      },
    }
  }
  const freeswitch = await startFreeswitch()
  const carrier = await Carrier.start()
  return {
    port: freeswitch.port,
    password: freeswitch.password,
    carrier,
    stop: async () => {
      await carrier.stop()
      await freeswitch.stop()
    },
  }
}

for (const kind of await availableSwitches()) {
  describe(`the switch link on the ${kind}`, function () {
    this.timeout(60_000)
    let bench: Bench
    let cut: TcpCut
    let link: SwitchLink
    let board: Switchboard

    before(async () => {
      bench = await startSwitch(kind)
    })
    after(async () => bench?.stop())

    beforeEach(async () => {
      cut = await TcpCut.to(bench.port)
      link = new SwitchLink({ host: '127.0.0.1', port: cut.port, password: bench.password }, log)
      board = new Switchboard(link)
      link.start()
      await once(link, 'up')
    })
    afterEach(async () => {
      await link.stop()
      await cut.close()
    })

    function request(number: string, more: Partial<DialRequest> = {}): DialRequest {
      const { host, port } = bench.carrier
      return {
        channelId: board.newChannelId(),
        target: {
          user: number,
          host,
          port,
          transport: 'udp',
          proxy: `${kind === 'sandbox' ? '127.0.0.1' : host}:${port}`,
        },
        callerId: { user: '+12025550199', name: 'Test', domain: 'sip.localhost' },
        codecs: ['PCMU', 'PCMA'],
        headers: {},
        credential: null,
        ringTimeout: 10,
        maxDuration: 60,
        afterBridge: 'park',
        recoveryVariables: { jackfield_call: 'call_test' },
        ...more,
      }
    }

    it('keeps replies apart when many commands are under way', async () => {
      const names = Array.from({ length: 200 }, (_, index) => `name${index}`)
      const answers = await Promise.all(
        names.map(async (name) => link.api(`global_getvar ${name}x`).catch(() => '')),
      )
      expect(answers).to.have.length(200)
      const [status, core] = await Promise.all([link.api('status'), link.api('global_getvar core_uuid')])
      expect(status).to.match(/^UP/)
      expect(core).to.match(/^[0-9a-f-]{36}/)
    })

    it('tells refusals, time-outs and a lost link apart', async () => {
      await link.api('uuid_kill 00000000-0000-0000-0000-000000000000').then(
        () => expect.fail('must be refused'),
        (error: unknown) => expect(error).to.be.instanceOf(SwitchRefusedError),
      )
      await link
        .api('status', 0)
        .catch((error: unknown) => expect(error).to.be.instanceOf(SwitchTimeoutError))
      expect(await link.background('status', 5_000)).to.match(/^UP/)
      const lost = link.api('status').catch((error: unknown) => error)
      await cut.cut(200)
      expect(
        [await lost].some((answer) => answer instanceof SwitchDownError || String(answer).startsWith('UP')),
      ).to.equal(true)
    })

    it('refuses what would break out of its line', async () => {
      await link.api('status\n\nexit').then(
        () => expect.fail('must be refused'),
        (error: unknown) => expect((error as Error).message).to.match(/one line/),
      )
      expect(await link.api('status')).to.match(/^UP/)
    })

    it('comes back by itself, and refuses meanwhile', async () => {
      const up = once(link, 'up')
      await cut.cut(500)
      expect(link.isUp).to.equal(false)
      await link.api('status').then(
        () => expect.fail('must be down'),
        (error: unknown) => expect(error).to.be.instanceOf(SwitchDownError),
      )
      await up
      expect(await link.api('status')).to.match(/^UP/)
    })

    it('follows a channel from its INVITE to its end', async () => {
      const channel = board.dial(request('+12025550100'))
      const seen: string[] = []
      for (const name of ['ringing', 'answered', 'parked', 'ended'] as const)
        channel.on(name, () => seen.push(name))
      await once(channel, 'parked')
      expect(channel.state).to.equal('answered')
      expect(await channel.exists()).to.equal(true)
      await channel.hangUp('USER_BUSY')
      const [end] = channel.end
        ? [channel.end]
        : ((await once(channel, 'ended')) as [NonNullable<typeof channel.end>])
      expect(seen).to.deep.equal(['ringing', 'answered', 'parked', 'ended'])
      expect(end.hangupCause).to.equal('USER_BUSY')
      expect(end.answeredAt).to.be.instanceOf(Date)
      expect(await channel.exists()).to.equal(false)
      await channel.hangUp('USER_BUSY')
    })

    it('keeps any text with a channel', async () => {
      const channel = board.dial(request('+12025550100'))
      await once(channel, 'parked')
      const texts = [
        ...['x', '{"a": "it\'s \'x\' and \\"y\\""}', "\\n \\\\ \\s \\' \\u00e9", "'", "''", '\\', '"\''],
        ...['${uuid} $1 $$', 'a;b|c,d=e', ':_:^^:', 'Zoë 😀', 'a   b', '<x>&%20', `"${'x'.repeat(16_000)}'`],
      ]
      for (const text of texts) {
        await channel.setText('jackfield_text', text)
        expect(await channel.text('jackfield_text')).to.equal(text)
      }
      await channel.setText('jackfield_text', 'two\r\nlines')
      expect(await channel.text('jackfield_text')).to.equal('two lines')
      expect(await channel.text('jackfield_unset')).to.equal(null)
      await channel.hangUp('NORMAL_CLEARING')
      await eventually(
        async () => channel.exists(),
        (there) => !there,
      )
      // A call that hangs up meanwhile is nothing to complain about.
      await channel.setText('jackfield_text', 'x')
    })

    it('plays one thing after another, stops at the signal, and fails at the hang-up', async () => {
      const channel = board.dial(request('+12025550100'))
      await once(channel, 'answered')
      const never = new AbortController().signal
      const started = Date.now()
      const order: string[] = []
      await Promise.all([
        channel.play('silence_stream://300', never).then(() => order.push('first')),
        channel.play('silence_stream://100', never).then(() => order.push('second')),
      ])
      expect(order).to.deep.equal(['first', 'second'])
      expect(Date.now() - started).to.be.within(380, 1_500)
      expect(await channel.play('/no/such/file.wav', never)).to.equal(false)
      const stop = new AbortController()
      const playing = channel.playForever('tone_stream://%(2000,4000,440,480);loops=-1', stop.signal)
      await sleep(200)
      stop.abort()
      await playing
      const hungUp = channel.play('silence_stream://5000', never).catch((error: unknown) => error)
      await sleep(100)
      await channel.hangUp('NORMAL_CLEARING')
      expect(await hungUp).to.be.instanceOf(ChannelEndedError)
    })

    it('meets a channel again after the link was lost', async () => {
      const { channelId, ...rest } = request('+12025550100')
      const channel = board.dial({ channelId, ...rest })
      await once(channel, 'parked')
      await channel.setVariables({ jackfield_step: '0.1' })
      const up = once(link, 'up')
      await cut.cut(100)
      await up
      const found = await board.adopt(channelId)
      expect(found?.channel.state).to.equal('answered')
      expect(found?.snapshot.variable('jackfield_step')).to.equal('0.1')
      expect(found?.snapshot.variable('jackfield_call')).to.equal('call_test')
      await sleep(300)
      expect(await board.channelIds()).to.include(channelId)
      await found?.channel.hangUp('NORMAL_CLEARING')
      expect(await board.adopt(channelId)).to.equal(null)
    })

    it('hands credentials and names over as they are, whatever they hold', async () => {
      const password = `p'\\,]$x y|"=^a\\n;%41`
      const channel = board.dial(
        request('+12025550100', {
          credential: { username: `a'b,c d`, password },
          callerId: {
            user: '+12025550199',
            name: `O'Brien, "Sons" \${system(id)}`,
            domain: 'sip.localhost',
          },
        }),
      )
      await once(channel, 'answered')
      const dump = JSON.parse(await link.api(`uuid_dump ${channel.id} json`)) as Record<string, string>
      expect(dump['variable_sip_auth_password']).to.equal(password)
      expect(dump['variable_sip_auth_username']).to.equal(`a'b,c d`)
      expect(dump['variable_sip_from_display']).to.equal(`O'Brien, ”Sons”   system(id)`)
      await channel.hangUp('NORMAL_CLEARING')
    })

    it('is driven by one of several servers, and by another when that one stops or is lost', async () => {
      const servers = ['one', 'two', 'three'].map((name) => {
        const address = { host: '127.0.0.1', port: name === 'three' ? cut.port : bench.port }
        const lease = new SwitchLease(name)
        return { name, link: new SwitchLink({ ...address, password: bench.password }, log, lease) }
      })
      const driving = () => servers.filter(({ link: one }) => one.isUp).map(({ name }) => name)
      const drives = async (isIt: (name: string) => boolean, standby: number) =>
        eventually(
          async () => [driving(), servers.filter(({ link: one }) => one.isStandby).length] as const,
          ([[name], waiting]) => name !== undefined && isIt(name) && waiting === standby,
          { what: 'one that drives', withinMs: 20_000, everyMs: 5 },
        )
      try {
        for (const { link: one } of servers) one.start()
        const [[first = '']] = await drives(() => true, 2)
        // All have seen what the others have written.
        await sleep(1_000)
        expect(driving()).to.deep.equal([first])
        const stopped = servers.filter(({ name }) => name !== 'three')
        for (const { link: one } of stopped) await one.stop()
        await drives((name) => name === 'three', 0)
        stopped[0]!.link.start()
        await drives((name) => name === 'three', 1)
        const lost = cut.cut(8_000)
        await drives((name) => name === 'one', 0)
        await lost
        await drives((name) => name === 'one', 1)
      } finally {
        for (const { link: one } of servers) await one.stop()
      }
    })
  })
}

describe('a switch that will not have us', function () {
  this.timeout(15_000)

  it('a wrong password or a closed port is tried again, and never thrown', async () => {
    const sandbox = new SandboxSwitch('')
    const server = new EventSocketServer(sandbox, 'secret')
    const port = await server.listen('127.0.0.1', 0)
    const wrong = new SwitchLink({ host: '127.0.0.1', port, password: 'guess' }, log)
    const closed = new SwitchLink({ host: '127.0.0.1', port: 9, password: 'guess' }, log)
    wrong.start()
    closed.start()
    await sleep(800)
    expect(wrong.isUp).to.equal(false)
    expect(closed.isUp).to.equal(false)
    await wrong.stop()
    await closed.stop()
    sandbox.stop()
    await server.close()
  })
})

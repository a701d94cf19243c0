import { expect } from 'chai'
import { eventually } from '../support/api-client.js'
import { databaseOfKamailio } from '../support/kamailio.js'
import { startMariadb } from '../support/mariadb.js'
import { SipDialog } from '../support/sip-dialog.js'
import type { Transport } from '../support/sip-link.js'
import { header, headers } from '../support/sip-message.js'
import { type Answer, SipPhone } from '../support/sip-phone.js'
import { EdgeWorld } from './accounts.js'
import { type Acl, type TrunkNumber, newAcl, newDigits, newNumber } from './trunks.js'

describe('edge: calls from carriers', function () {
  this.timeout(30_000)
  const carrierHost = '127.0.0.81'
  let world: EdgeWorld
  let fabric: SipPhone
  let carrier: SipPhone
  let acl: Acl
  let main: TrunkNumber
  let ends: SipPhone[] = []
  let addresses = 100

  before(async () => {
    world = await EdgeWorld.start()
    fabric = await SipPhone.asSwitch(world.edge.options)
    acl = await newAcl(world, [carrierHost])
    main = await newNumber(world, acl)
  })
  beforeEach(async () => {
    carrier = await open(carrierHost)
  })
  afterEach(() => {
    for (const end of ends) end.close()
    ends = []
    fabric.requests.length = 0
    fabric.answerTo = (request) => fabric.reply(request, 200, 'OK')
  })
  after(async () => {
    fabric.close()
    await world.stop()
  })

  /** A carrier that sends from an address. */
  const open = async (host = newAddress(), transport: Transport = 'udp'): Promise<SipPhone> => {
    const options = { host, transport, username: '+12025550123', domain: 'carrier.example', password: '' }
    const end = await SipPhone.open(world.edge.options, options)
    ends.push(end)
    return end
  }
  /** An address that nothing was heard from. */
  const newAddress = (): string => `127.0.0.${addresses++}`
  const uriOf = (user: string): string => `sip:${user}@${world.edge.options.sipHost}`
  const call = async (
    from: SipPhone,
    user: string,
    options: Parameters<SipPhone['request']>[2] = {},
  ): Promise<Answer> => from.request('INVITE', uriOf(user), { to: uriOf(user), ...options })
  const status = async (...parameters: Parameters<typeof call>): Promise<number> =>
    (await call(...parameters)).status
  /** The latest INVITE at the switch. */
  const arrived = (): { text: string } => {
    const text = fabric.requests.findLast((request) => request.startsWith('INVITE '))
    if (!text) throw new Error('no call came to the switch')
    return { text }
  }
  const saw = async (end: SipPhone, wanted: string[]): Promise<void> => {
    const methods = (): string[] => end.requests.map((text) => text.split(' ', 1)[0] ?? '')
    await eventually(
      async () => methods(),
      (seen) => seen.length >= wanted.length,
      { what: wanted.join(', ') },
    )
    expect(methods()).to.deep.equal(wanted)
  }

  describe('of whom', () => {
    it('take those that the number’s ACL allows, and tell the switch whose number it is', async () => {
      expect(await status(carrier, main.number)).to.equal(200)
      const invite = arrived()
      expect(invite.text).to.match(new RegExp(`^INVITE sip:\\+${main.number}@`))
      expect(invite.text.match(/^X-.*$/gm)).to.deep.equal([
        'X-Edge-Source: trunk',
        `X-Edge-Number: ${main.id}`,
        `X-Edge-Workspace: ${main.workspace}`,
        `X-Edge-Acl: ${main.acl}`,
      ])
    })

    it('take a number with a plus sign, without, and with parameters', async () => {
      const { number } = main
      for (const user of [number, `+${number}`, `+${number};npdi;rn=+12025550000`]) {
        expect(await status(carrier, user), user).to.equal(200)
        expect(arrived().text).to.match(new RegExp(`^INVITE sip:\\+${number}@`))
      }
      const uri = `sip:+${number}@carrier.example:5099;user=phone`
      expect((await carrier.request('INVITE', uri, { to: uri })).status).to.equal(200)
    })

    it('refuse strangers in the same way whatever they ask for', async () => {
      const stranger = await open()
      const answers = []
      for (const user of [main.number, newDigits(), '100', 'alice', `${main.number}0000000000`])
        answers.push(await call(stranger, user))
      expect(answers.map((answer) => answer.status)).to.deep.equal([403, 403, 403, 403, 403])
      const shapes = answers.map(({ text }) =>
        text.replace(/^(Via|To|Call-ID|CSeq): .*$/gm, '$1').replace(/tag=\S+/g, 'tag'),
      )
      expect(new Set(shapes)).to.have.length(1)
      expect(fabric.requests).to.deep.equal([])
    })

    it('tell a carrier that a number is unknown, and that one is not for it', async () => {
      const other = await newNumber(world, await newAcl(world, [newAddress()]))
      expect(await status(carrier, newDigits())).to.equal(404)
      expect(await status(carrier, 'alice')).to.equal(404)
      expect(await status(carrier, other.number)).to.equal(403)
      expect(fabric.requests).to.deep.equal([])
    })

    it('take pending numbers, and answer 480 for inactive ones', async () => {
      const pending = await newNumber(world, acl, { status: 'pending' })
      expect(await status(carrier, pending.number)).to.equal(200)
      const inactive = await newNumber(world, acl, { status: 'inactive' })
      expect(await status(carrier, inactive.number)).to.equal(480)
      expect(await status(await open(), inactive.number)).to.equal(403)
    })

    it('take addresses and blocks, and no neighbour of them', async () => {
      const blocks = await newNumber(world, await newAcl(world, ['127.9.9.64/30', '::ffff:127.9.8.7']))
      for (const host of ['127.9.9.64', '127.9.9.67', '127.9.8.7'])
        expect(await status(await open(host), blocks.number), host).to.equal(200)
      for (const host of ['127.9.9.63', '127.9.9.68', '127.9.8.6', '127.9.8.8'])
        expect(await status(await open(host), blocks.number), host).to.equal(403)
    })

    it('hold from the moment that they are changed', async () => {
      const host = newAddress()
      const source = await open(host)
      const changing = await newAcl(world, [host])
      const number = await newNumber(world, changing)
      expect(await status(source, number.number)).to.equal(200)
      await world.query('DELETE FROM inbound_acl_addresses WHERE acl_id = ?', [changing.id])
      expect(await status(source, number.number)).to.equal(403)
    })

    it('find the workspace whose ACL fits, of several that have the number', async () => {
      const [one, two] = [newAddress(), newAddress()]
      const first = await newNumber(world, await newAcl(world, [one], 'first'))
      const { number } = first
      const second = await newNumber(world, await newAcl(world, [two], 'second'), { number })
      expect(await status(await open(one), number)).to.equal(200)
      expect(header(arrived(), 'X-Edge-Number')).to.equal(first.id)
      expect(await status(await open(two), number)).to.equal(200)
      expect(header(arrived(), 'X-Edge-Number')).to.equal(second.id)
      expect(header(arrived(), 'X-Edge-Workspace')).to.equal('second')
    })

    it('find the active one, and of several the oldest, where two ACLs fit', async () => {
      const number = newDigits()
      const made = []
      for (const [workspace, status, ageSeconds] of [
        ['one', 'inactive', 400],
        ['two', 'pending', 300],
        ['three', 'active', 100],
        ['four', 'active', 200],
      ] as const)
        made.push(
          await newNumber(world, await newAcl(world, [carrierHost], workspace), {
            number,
            status,
            ageSeconds,
          }),
        )
      expect(await status(carrier, number)).to.equal(200)
      expect(header(arrived(), 'X-Edge-Workspace')).to.equal('four')
      await world.query(
        `UPDATE phone_numbers SET status = 'inactive' WHERE status = 'active' AND number = ?`,
        [number],
      )
      expect(await status(carrier, number)).to.equal(200)
      expect(header(arrived(), 'X-Edge-Workspace')).to.equal('two')
    })
  })

  describe('what they may send', () => {
    it('is nothing that the edge says itself', async () => {
      const { privateHost, privatePort } = world.edge.options
      await call(carrier, main.number, {
        extra: [
          'X-Edge-Number: pn_forged',
          'x-edge-source: account',
          'X-Edge-Account: si_forged',
          'X-Jackfield-Call: call_forged',
          'X-FS-Support: update_display',
          'Replaces: one@two;to-tag=1;from-tag=2',
          'Remote-Party-ID: <sip:911@x>;party=calling',
          'P-Preferred-Identity: <sip:911@x>',
          `Route: <sip:${privateHost}:${privatePort};lr>`,
        ],
      })
      const invite = arrived()
      expect(invite.text).not.to.match(/forged|911/)
      expect(headers(invite, 'X-Edge-Number')).to.deep.equal([main.id])
      expect(headers(invite, 'X-Edge-Source')).to.deep.equal(['trunk'])
      expect(invite.text).not.to.match(/^(Route|Replaces|X-FS)/im)
    })

    it('is no SQL', async () => {
      const attempts = [
        `${main.number}'%20OR%20'1'='1`,
        `'%20OR%20number%20LIKE%20'1%25`,
        `${main.number}';DROP%20TABLE%20phone_numbers`,
        `+${main.number}%00`,
        `${main.number}%27`,
      ]
      for (const user of attempts) expect(await status(carrier, user), user).to.be.oneOf([400, 404])
      // the parameters of a number are cut off, whatever they hold
      expect(await status(carrier, `${main.number};'%20OR%20'1`)).to.be.oneOf([200, 400])
      expect(await status(carrier, main.number)).to.equal(200)
    })
  })

  describe('who calls', () => {
    const asserted = async (options: Parameters<typeof call>[2]): Promise<string | undefined> => {
      expect(await status(carrier, main.number, options)).to.equal(200)
      const invite = arrived()
      expect(headers(invite, 'P-Asserted-Identity')).to.have.length(1)
      expect(header(invite, 'Privacy')).to.equal(undefined)
      return header(invite, 'P-Asserted-Identity')
    }
    const anonymous = '<sip:anonymous@anonymous.invalid>'
    const known = 'P-Asserted-Identity: <sip:+12025550177@carrier.example>'

    for (const [what, options, expected] of [
      ['From', {}, '<sip:+12025550123@trunk.invalid>'],
      [
        'From with a name',
        { from: '"Ann Lee" <sip:2025550124@x>' },
        '"Ann Lee" <sip:2025550124@trunk.invalid>',
      ],
      ['a bare name', { from: 'Ann <sip:2025550124@x>' }, '"Ann" <sip:2025550124@trunk.invalid>'],
      ['what the carrier asserts', { extra: [known] }, '<sip:+12025550177@trunk.invalid>'],
      [
        'the first of what it asserts',
        { extra: ['P-Asserted-Identity: "Bob" <sip:+1555;x=y@c>, <tel:+1666>'] },
        '"Bob" <sip:+1555@trunk.invalid>',
      ],
      [
        'a tel URI',
        { extra: ['P-Asserted-Identity: <tel:+12025550178>'] },
        '<sip:+12025550178@trunk.invalid>',
      ],
      [
        'From, beside an assertion without a user',
        { extra: ['P-Asserted-Identity: <sip:carrier.example>'] },
        '<sip:+12025550123@trunk.invalid>',
      ],
      ['nobody, with Privacy: id', { extra: [known, 'Privacy: id'] }, anonymous],
      ['nobody, with Privacy: user;ID', { extra: ['Privacy: user;ID'] }, anonymous],
      [
        'somebody, with Privacy: none',
        { extra: [known, 'Privacy: none'] },
        '<sip:+12025550177@trunk.invalid>',
      ],
      ['nobody, From being anonymous', { from: '"Anonymous" <sip:anonymous@anonymous.invalid>' }, anonymous],
      ['nobody, From being Anonymous anywhere', { from: '<sip:Anonymous@x>', extra: [known] }, anonymous],
      ['nobody, From having no user', { from: '<sip:carrier.example>' }, anonymous],
      ['nobody, From being no name to show', { from: '<sip:a%22%3e@x>' }, anonymous],
      ['nobody, From being too long', { from: `<sip:${'1'.repeat(41)}@x>` }, anonymous],
      ['no name that is too long', { from: `"${'n'.repeat(81)}" <sip:1@x>` }, '<sip:1@trunk.invalid>'],
      ['no name with escapes', { from: '"a\\"b" <sip:1@x>' }, '<sip:1@trunk.invalid>'],
    ] as const) {
      it(`is ${what}`, async () => {
        expect(await asserted(options)).to.equal(expected)
      })
    }
  })

  for (const transport of ['udp', 'tcp', 'tls'] as const) {
    it(`are carried over ${transport}, with both ends’ requests`, async () => {
      const end = await open(carrierHost, transport)
      const answer = await call(end, main.number)
      expect(answer.status).to.equal(200)
      const [ours, theirs] = [SipDialog.calling(end, answer), SipDialog.called(fabric, arrived().text)]
      await ours.acknowledge()
      await saw(fabric, ['INVITE', 'ACK'])
      expect((await ours.request('INVITE')).status).to.equal(200)
      expect((await theirs.request('INVITE')).status).to.equal(200)
      await saw(end, ['INVITE', 'ACK'])
      expect((await theirs.request('BYE')).status).to.equal(200)
      await saw(end, ['INVITE', 'ACK', 'BYE'])
      expect(end.requests.join('')).not.to.match(/^X-(Edge|Jackfield|FS)-/im)
      await call(end, main.number).then(async (second) => {
        expect((await SipDialog.calling(end, second).request('BYE')).status).to.equal(200)
      })
      expect(fabric.requests.at(-1)).to.match(/^BYE /)
    })
  }

  it('reach a carrier behind NAT again where it called from', async () => {
    const contact = 'Contact: <sip:trunk@192.168.7.7:5099>'
    const answer = await call(carrier, main.number, { extra: [contact] })
    expect(answer.status).to.equal(200)
    expect((await SipDialog.called(fabric, arrived().text).request('BYE')).status).to.equal(200)
    await saw(carrier, ['BYE'])
  })

  it('are cancelled', async () => {
    const ringing: string[] = []
    fabric.answerTo = (request) => {
      if (request.startsWith('INVITE ')) {
        ringing.push(request)
        return fabric.reply(request, 180, 'Ringing')
      }
      const invite = ringing[0] ?? ''
      if (request.startsWith('CANCEL ')) fabric.link.send(fabric.reply(invite, 487, 'Request Terminated'))
      return fabric.reply(request, 200, 'OK')
    }
    const heard: string[] = []
    carrier.link.onMessage((text) => heard.push(text))
    const called = call(carrier, main.number).catch(() => undefined)
    const [provisional = ''] = await eventually(
      async () => heard.filter((text) => text.startsWith('SIP/2.0 180')),
      ({ length }) => length > 0,
      { what: '180' },
    )
    const of = (name: string): string => `${name}: ${header({ text: provisional }, name) ?? ''}`
    const to = of('To').replace(/;tag=.*$/, '')
    // as RFC 3261, section 9.1 has it: the INVITE's Via without what was added to it on the way
    const via = of('Via')
      .replace(/;received=[^;]*/, '')
      .replace(/;rport=\d+/, ';rport')
    const cancel = [
      `CANCEL ${uriOf(main.number)} SIP/2.0`,
      via,
      'Max-Forwards: 70',
      of('From'),
      to,
      of('Call-ID'),
    ]
    const sequence = of('CSeq').replace('INVITE', 'CANCEL')
    carrier.link.send([...cancel, sequence, 'Content-Length: 0', '', ''].join('\r\n'))
    await eventually(
      async () => heard.map((text) => text.split('\r\n', 1)[0]),
      (lines) => lines.includes('SIP/2.0 487 Request Terminated'),
      { what: '487' },
    )
    await called
    expect(fabric.requests.map((text) => text.split(' ', 1)[0])).to.include.members(['INVITE', 'CANCEL'])
  })

  for (const refusal of [403, 480, 486, 503]) {
    it(`are refused with ${refusal} when the switch says so`, async () => {
      fabric.answerTo = (request) => fabric.reply(request, refusal, 'No')
      expect(await status(carrier, main.number)).to.equal(refusal)
    })
  }

  it('hear 503 when the switch says nothing', async () => {
    fabric.answerTo = () => undefined
    const to = uriOf(main.number)
    const lines = [`From: <${carrier.aor}>;tag=1`, `To: <${to}>`, 'Call-ID: silent@test', 'CSeq: 1 INVITE']
    const contact = `Contact: <${carrier.contact}>`
    const answer = await carrier.transact(
      'INVITE',
      to,
      [...lines, contact, 'Content-Length: 0', '', ''],
      8000,
    )
    expect(answer.status).to.equal(503)
    expect(header(answer, 'Retry-After')).to.match(/^\d+$/)
  })

  describe('and bans', () => {
    const tried = async (end: SipPhone, times: number): Promise<number[]> => {
      const statuses = []
      for (let time = 0; time < times; time++) statuses.push(await status(end, newDigits()))
      return statuses
    }
    const silent = async (end: SipPhone): Promise<boolean> =>
      call(end, main.number).then(
        () => false,
        () => true,
      )
    /** The results of many tries, of which some are under way at any moment. */
    const many = async (count: number, once: () => Promise<number>): Promise<Set<number>> => {
      const results = new Set<number>()
      const one = async (): Promise<void> => {
        for (let time = 0; time < count / 20; time++) results.add(await once().catch(() => 0))
      }
      await Promise.all(Array.from({ length: 20 }, one))
      return results
    }

    it('say nothing to a stranger after some refusals', async () => {
      const stranger = await open()
      expect(new Set(await tried(stranger, 20))).to.deep.equal(new Set([403]))
      expect(await silent(await open(stranger.link.host))).to.equal(true)
    })

    it('never fall on a source of some ACL, whatever it asks for', async () => {
      const host = newAddress()
      await newAcl(world, [host])
      const guessing = await open(host)
      expect(new Set(await tried(guessing, 30))).to.deep.equal(new Set([404]))
      expect(await status(guessing, main.number)).to.equal(403)
    })

    it('fall on a source that only a very wide block names', async () => {
      const wide = await newNumber(world, await newAcl(world, ['127.0.0.0/8']))
      const stranger = await open()
      expect(await status(stranger, wide.number)).to.equal(200)
      expect(new Set(await tried(stranger, 20))).to.deep.equal(new Set([403]))
      expect(await silent(stranger)).to.equal(true)
    })

    it('do not fall on a busy carrier', async () => {
      fabric.answerTo = (request) => fabric.reply(request, 486, 'Busy Here')
      expect([...(await many(400, async () => status(carrier, main.number)))]).to.deep.equal([486])
      expect(world.edge.log).not.to.include(`banned ${carrierHost}`)
    })

    it('do not fall on a source of some ACL that sends many requests before its first call', async () => {
      const host = newAddress()
      await newAcl(world, [host])
      const end = await open(host)
      const ask = async (): Promise<number> => (await end.request('OPTIONS', uriOf(main.number))).status
      expect([...(await many(200, ask))]).to.deep.equal([200])
    })
  })

  it('are taken from IPv6 addresses and blocks too', async () => {
    const other = await EdgeWorld.start({ sipHost: '::1' })
    const stub = await SipPhone.asSwitch(other.edge.options)
    try {
      const options = { host: '::1', username: 'a', domain: 'carrier.example', password: '' }
      const end = await SipPhone.open(other.edge.options, options)
      ends.push(end)
      const fits = await newNumber(other, await newAcl(other, ['::/127', '2001:db8::/32', '::1/128']))
      const fitsNot = await newNumber(other, await newAcl(other, ['2001:db8::/32', '::2/127', '0.0.0.0/0']))
      const answers = []
      for (const { number } of [fits, fitsNot]) {
        const uri = `sip:${number}@[::1]`
        answers.push((await end.request('INVITE', uri, { to: uri })).status)
      }
      expect(answers).to.deep.equal([200, 403])
      expect(header({ text: stub.requests[0] ?? '' }, 'X-Edge-Number')).to.equal(fits.id)
    } finally {
      stub.close()
      await other.stop()
    }
  })

  it('ask for patience while the database is away, and ban no carrier meanwhile', async () => {
    const mariadb = await startMariadb()
    let other: EdgeWorld | undefined
    let stub: SipPhone | undefined
    try {
      const name = await mariadb.createDatabase()
      await mariadb.migrate(name)
      other = await EdgeWorld.start({ database: databaseOfKamailio(mariadb, name) }, mariadb)
      stub = await SipPhone.asSwitch(other.edge.options)
      const number = await newNumber(other, await newAcl(other, [carrierHost]))
      const options = { host: carrierHost, username: 'a', domain: 'carrier.example', password: '' }
      const end = await SipPhone.open(other.edge.options, options)
      ends.push(end)
      await mariadb.pause()
      for (let time = 0; time < 30; time++) {
        const answer = await call(end, number.number)
        expect(answer.status).to.equal(503)
        expect(header(answer, 'Retry-After')).to.match(/^\d+$/)
      }
      await Promise.all(
        Array.from({ length: 100 }, async () => end.request('OPTIONS', uriOf('x')).catch(() => undefined)),
      )
      await mariadb.resume()
      await eventually(
        async () => status(end, number.number).catch(() => 0),
        (answer) => answer === 200,
        { what: 'call that passes' },
      )
    } finally {
      stub?.close()
      await other?.stop()
      await mariadb.stop()
    }
  })
})

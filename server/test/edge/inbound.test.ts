import { expect } from 'chai'
import { header, headers } from '../support/sip-message.js'
import type { SipPhone } from '../support/sip-phone.js'
import { xHeadersOf } from './calls.js'
import { type TrunkNumber, TrunkWorld, newAcl, newDigits, newNumber, saw } from './trunks.js'

describe('edge: calls from carriers', function () {
  this.timeout(30_000)
  let trunk: TrunkWorld
  let carrier: SipPhone

  before(async () => {
    trunk = await TrunkWorld.start()
  })
  beforeEach(async () => {
    carrier = await trunk.open()
  })
  afterEach(() => trunk.reset())
  after(async () => trunk?.stop())

  it('take those that the number’s ACL allows, and tell the switch whose number it is', async () => {
    expect(await trunk.status(carrier, trunk.number.number)).to.equal(200)
    const invite = trunk.arrived()
    expect(invite.text).to.match(new RegExp(`^INVITE sip:\\+${trunk.number.number}@`))
    // Before all that the carrier wrote: the switch takes the first of a name.
    const [first = ''] = invite.text.split('\r\nVia: ')
    const own = [
      'X-Edge-Source: trunk',
      `X-Edge-Number: ${trunk.number.id}`,
      `X-Edge-Workspace: ${trunk.number.workspace}`,
      `X-Edge-Acl: ${trunk.number.acl}`,
      'X-Edge-Sent: now',
    ]
    expect(xHeadersOf(first)).to.have.members(own)
    expect(first).to.include('P-Asserted-Identity: "+12025550123" <sip:+12025550123@trunk.invalid>')
    expect(xHeadersOf(invite.text)).to.have.members(own)
  })

  it('take a number with a plus sign, without, and with parameters', async () => {
    const { number } = trunk.number
    const grouped = `+1-(${number.slice(1, 4)})${number.slice(4, 7)}.${number.slice(7)}`
    const escaped = `%${number.charCodeAt(0).toString(16)}${number.slice(1)}`
    for (const user of [
      ...[number, `+${number}`, `+${number};npdi;rn=+12025550000`],
      ...[`%2B${number}`, `%2b${number};npdi`, escaped, grouped],
    ]) {
      expect(await trunk.status(carrier, user), user).to.equal(200)
      expect(trunk.arrived().text).to.match(new RegExp(`^INVITE sip:\\+${number}@`))
    }
    for (const uri of [
      `sip:+${number}@carrier.example:5099;user=phone;transport=tcp`,
      `sips:${number}@carrier.example`,
      `tel:+${number};phone-context=+1`,
    ]) {
      expect((await carrier.request('INVITE', uri, { to: trunk.uriOf(number) })).status, uri).to.equal(200)
      expect(trunk.arrived().text).to.match(new RegExp(`^INVITE sip:\\+${number}@switch.invalid `))
    }
  })

  it('refuse strangers in the same way whatever they ask for', async () => {
    const stranger = await trunk.open(trunk.newAddress())
    const answers = []
    for (const user of [trunk.number.number, newDigits(), '100', 'alice', `${trunk.number.number}0000000000`])
      answers.push(await trunk.call(stranger, user))
    expect(answers.map((answer) => answer.status)).to.deep.equal([403, 403, 403, 403, 403])
    const shapes = answers.map(({ text }) =>
      text.replace(/^(Via|To|Call-ID|CSeq): .*$/gm, '$1').replace(/tag=\S+/g, 'tag'),
    )
    expect(new Set(shapes)).to.have.length(1)
    expect(trunk.fabric.requests).to.deep.equal([])
  })

  it('tell a carrier the same of a number that is another’s and of one that nobody has', async () => {
    const other = await newNumber(trunk.world, await newAcl(trunk.world, [trunk.newAddress()]))
    const inactive = await newNumber(trunk.world, await newAcl(trunk.world, [trunk.newAddress()]), {
      status: 'inactive',
    })
    const shapes = []
    for (const user of [newDigits(), 'alice', other.number, inactive.number]) {
      const { status, text } = await trunk.call(carrier, user)
      expect(status, user).to.equal(403)
      shapes.push(text.replace(/^(Via|To|Call-ID|CSeq): .*$/gm, '$1').replace(/tag=\S+/g, 'tag'))
    }
    expect(new Set(shapes)).to.have.length(1)
    expect(trunk.fabric.requests).to.deep.equal([])
  })

  it('take pending numbers, and answer 480 for inactive ones', async () => {
    const pending = await newNumber(trunk.world, trunk.acl, { status: 'pending' })
    expect(await trunk.status(carrier, pending.number)).to.equal(200)
    const inactive = await newNumber(trunk.world, trunk.acl, { status: 'inactive' })
    expect(await trunk.status(carrier, inactive.number)).to.equal(480)
    expect(await trunk.status(await trunk.open(trunk.newAddress()), inactive.number)).to.equal(403)
  })

  it('take addresses and blocks, and no neighbour of them', async () => {
    const blocks = await newNumber(
      trunk.world,
      await newAcl(trunk.world, ['127.9.9.64/30', '::ffff:127.9.8.7']),
    )
    for (const host of ['127.9.9.64', '127.9.9.67', '127.9.8.7'])
      expect(await trunk.status(await trunk.open(host), blocks.number), host).to.equal(200)
    for (const host of ['127.9.9.63', '127.9.9.68', '127.9.8.6', '127.9.8.8'])
      expect(await trunk.status(await trunk.open(host), blocks.number), host).to.equal(403)
  })

  it('hold from the moment that they are changed', async () => {
    const host = trunk.newAddress()
    const source = await trunk.open(host)
    const changing = await newAcl(trunk.world, [host])
    const number = await newNumber(trunk.world, changing)
    expect(await trunk.status(source, number.number)).to.equal(200)
    await trunk.world.query('DELETE FROM inbound_acl_addresses WHERE acl_id = ?', [changing.id])
    expect(await trunk.status(source, number.number)).to.equal(403)
  })

  it('find the workspace whose ACL fits, of several that have the number', async () => {
    const [one, two] = [trunk.newAddress(), trunk.newAddress()]
    const first = await newNumber(trunk.world, await newAcl(trunk.world, [one], 'first'))
    const { number } = first
    const second = await newNumber(trunk.world, await newAcl(trunk.world, [two], 'second'), { number })
    expect(await trunk.status(await trunk.open(one), number)).to.equal(200)
    expect(header(trunk.arrived(), 'X-Edge-Number')).to.equal(first.id)
    expect(await trunk.status(await trunk.open(two), number)).to.equal(200)
    expect(header(trunk.arrived(), 'X-Edge-Number')).to.equal(second.id)
    expect(header(trunk.arrived(), 'X-Edge-Workspace')).to.equal('second')
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
        await newNumber(trunk.world, await newAcl(trunk.world, [trunk.carrierHost], workspace), {
          number,
          status,
          ageSeconds,
        }),
      )
    expect(await trunk.status(carrier, number)).to.equal(200)
    expect(header(trunk.arrived(), 'X-Edge-Workspace')).to.equal('four')
    await trunk.world.query(
      `UPDATE phone_numbers SET status = 'inactive' WHERE status = 'active' AND number = ?`,
      [number],
    )
    expect(await trunk.status(carrier, number)).to.equal(200)
    expect(header(trunk.arrived(), 'X-Edge-Workspace')).to.equal('two')
  })

  it('find whose number it is by the operator’s word, then by the smaller block', async () => {
    const world = `${trunk.carrierHost.replace(/\d+$/, '0')}/24`
    const make = async (workspace: string, entries: string[], options: object) =>
      newNumber(trunk.world, await newAcl(trunk.world, entries, workspace), options)
    const number = newDigits()
    const called = async () => {
      expect(await trunk.status(carrier, number)).to.equal(200)
      return header(trunk.arrived(), 'X-Edge-Workspace')
    }
    await make('squatter', ['0.0.0.0/0'], { number, status: 'pending', ageSeconds: 400 })
    const { id } = await make('holder', [trunk.carrierHost], { number, status: 'pending' })
    expect(await called()).to.equal('holder')
    await make('block', [world, '0.0.0.0/0'], { number, status: 'pending', ageSeconds: 300 })
    expect(await called()).to.equal('holder')
    await make('active', ['0.0.0.0/0'], { number, ageSeconds: 200 })
    expect(await called()).to.equal('active')
    await trunk.world.query('UPDATE phone_numbers SET is_verified = 1 WHERE id = ?', [id])
    expect(await called()).to.equal('holder')
    await trunk.world.query(`UPDATE phone_numbers SET status = 'inactive' WHERE id = ?`, [id])
    expect(await called()).to.equal('active')
  })

  it('are taken from IPv6 addresses and blocks too', async () => {
    const entries = ['::/127', '2001:db8::/32', '::1/128']
    const other = await TrunkWorld.start({ sipHost: '::1' }, { carrierHost: '::1', entries })
    try {
      const fitsNot = ['2001:db8::/32', '::2/127', '0.0.0.0/0']
      const { number } = await newNumber(other.world, await newAcl(other.world, fitsNot))
      const end = await other.open()
      expect(await other.status(end)).to.equal(200)
      expect(header(other.arrived(), 'X-Edge-Number')).to.equal(other.number.id)
      expect(await other.status(end, number)).to.equal(403)
      expect(await other.status(end, newDigits())).to.equal(403)
    } finally {
      await other.stop()
    }
  })

  it('ring no longer than the caller says, whatever it hears meanwhile', async () => {
    trunk.fabric.answerTo = (request) => {
      if (!request.startsWith('INVITE')) return trunk.fabric.reply(request, 200, 'OK')
      const ringing = trunk.fabric.reply(request, 180, 'Ringing')
      for (const after of [300, 600, 900]) setTimeout(() => trunk.fabric.link.send(ringing), after)
      return ringing
    }
    const began = Date.now()
    expect(await trunk.status(carrier, trunk.number.number, { extra: ['Expires: 1'] })).to.equal(487)
    expect(Date.now() - began).to.be.within(800, 2_500)
    await saw(trunk.fabric, ['INVITE', 'CANCEL'])
  })

  describe('and what they send', () => {
    it('is nothing that the edge says itself', async () => {
      const { privateHost, privatePort } = trunk.world.edge.options
      await trunk.call(carrier, trunk.number.number, {
        extra: [
          'X-Edge-Number: pn_forged',
          'x-edge-source: account',
          'X-Edge-Account: si_forged',
          'X-Jackfield-Call: call_forged',
          'X-FS-Support: update_display',
          'Replaces: one@two;to-tag=1;from-tag=2',
          'Remote-Party-ID: <sip:forged@x>;party=calling',
          'P-Preferred-Identity: <sip:forged@x>',
          `Route: <sip:${privateHost}:${privatePort};lr>`,
        ],
      })
      const invite = trunk.arrived()
      expect(invite.text).not.to.match(/forged/)
      expect(headers(invite, 'X-Edge-Number')).to.deep.equal([trunk.number.id])
      expect(headers(invite, 'X-Edge-Source')).to.deep.equal(['trunk'])
      expect(invite.text).not.to.match(/^(Route|Replaces|X-FS)/im)
    })

    it('holds no header behind a CR alone, which the switch would read as one', async () => {
      const extra = ['Subject: one\rX-Edge-Source: account']
      expect(await trunk.status(carrier, trunk.number.number, { extra })).to.equal(400)
      expect(trunk.fabric.requests).to.deep.equal([])
    })

    it('is a body of any bytes, and of any length', async () => {
      for (const body of ['\0one\rtwo\\\n', '\0\r'.repeat(7_000)])
        expect(await trunk.status(carrier, trunk.number.number, { body })).to.equal(200)
    })

    it('is every signature, wherever it stands', async () => {
      const extra = ['Identity: a.b.c;info=<http://x>;ppt=div', 'y:  d.e.f;info=<http://y>;ppt=shaken ']
      const told = async (more: string[]) => {
        expect(await trunk.status(carrier, trunk.number.number, { extra: more })).to.equal(200)
        const invite = trunk.arrived()
        expect(headers(invite, 'Identity')).to.deep.equal([])
        return headers(invite, 'X-Edge-Identity')
      }
      expect(await told([])).to.deep.equal([])
      const [one = '', ...others] = await told(extra)
      expect(others).to.deep.equal([])
      expect(one.split(/,\s*/)).to.deep.equal([
        'a.b.c;info=<http://x>;ppt=div',
        'd.e.f;info=<http://y>;ppt=shaken',
      ])
      // The edge gets along with more than a value of its can hold.
      const long = `Identity: ${'x'.repeat(3_000)}`
      expect((await told([long, long, long])).join()).to.match(/^x{3000}/)
    })

    it('is no SQL', async () => {
      const attempts = [
        `${trunk.number.number}'%20OR%20'1'='1`,
        `'%20OR%20number%20LIKE%20'1%25`,
        `${trunk.number.number}';DROP%20TABLE%20phone_numbers`,
        `+${trunk.number.number}%00`,
        `${trunk.number.number}%27`,
      ]
      for (const user of attempts) expect(await trunk.status(carrier, user), user).to.be.oneOf([400, 403])
      // the parameters of a number are cut off, whatever they hold
      expect(await trunk.status(carrier, `${trunk.number.number};'%20OR%20'1`)).to.be.oneOf([200, 400])
      expect(await trunk.status(carrier, trunk.number.number)).to.equal(200)
    })
  })

  describe('and who calls', () => {
    const asserted = async (
      options: Parameters<TrunkWorld['call']>[2],
      number = trusting,
    ): Promise<string | undefined> => {
      expect(await trunk.status(carrier, number.number, options)).to.equal(200)
      const invite = trunk.arrived()
      expect(headers(invite, 'P-Asserted-Identity')).to.have.length(1)
      expect(header(invite, 'Privacy')).to.equal(undefined)
      return header(invite, 'P-Asserted-Identity')
    }
    let trusting: TrunkNumber
    before(async () => {
      const acl = await newAcl(trunk.world, [trunk.carrierHost], 'acme', { trusts_identity: true })
      trusting = await newNumber(trunk.world, acl)
    })
    const anonymous = '"anonymous" <sip:anonymous@anonymous.invalid>'
    const known = 'P-Asserted-Identity: <sip:+12025550177@carrier.example>'

    for (const [what, options, expected] of [
      ['From', {}, '"+12025550123" <sip:+12025550123@trunk.invalid>'],
      [
        'From with a name',
        { from: '"Ann Lee" <sip:2025550124@x>' },
        '"Ann Lee" <sip:2025550124@trunk.invalid>',
      ],
      ['a name beyond ASCII', { from: '"Zoë Ångström" <sip:1@x>' }, '"Zoë Ångström" <sip:1@trunk.invalid>'],
      ['a bare name', { from: 'Ann <sip:2025550124@x>' }, '"Ann" <sip:2025550124@trunk.invalid>'],
      ['what the carrier asserts', { extra: [known] }, '"+12025550177" <sip:+12025550177@trunk.invalid>'],
      [
        'the first of what it asserts',
        { extra: ['P-Asserted-Identity: "Bob" <sip:+1555;x=y@c>, <tel:+1666>'] },
        '"Bob" <sip:+1555@trunk.invalid>',
      ],
      [
        'a tel URI',
        { extra: ['P-Asserted-Identity: <tel:+12025550178>'] },
        '"+12025550178" <sip:+12025550178@trunk.invalid>',
      ],
      [
        'From, beside an assertion without a user',
        { extra: ['P-Asserted-Identity: <sip:carrier.example>'] },
        '"+12025550123" <sip:+12025550123@trunk.invalid>',
      ],
      ['nobody, with Privacy: id', { extra: [known, 'Privacy: id'] }, anonymous],
      ['nobody, with Privacy: user;ID', { extra: ['Privacy: user;ID'] }, anonymous],
      [
        'somebody, with Privacy: none',
        { extra: [known, 'Privacy: none'] },
        '"+12025550177" <sip:+12025550177@trunk.invalid>',
      ],
      [
        'nobody, with a name that Privacy withholds, too',
        {
          from: '"Ada Lovelace" <sip:+12125550123@x>',
          extra: ['P-Asserted-Identity: "Ada Lovelace" <sip:+12125550123@x>', 'Privacy: id'],
        },
        anonymous,
      ],
      [
        'nobody, with Privacy in two headers',
        { extra: ['Privacy: none', 'Privacy:\tuser ; critical'] },
        anonymous,
      ],
      [
        'nobody, with a Remote-Party-ID that is private',
        { extra: ['Remote-Party-ID: <sip:+12025550123@x>;party=calling;screen=yes;privacy=full'] },
        anonymous,
      ],
      [
        'somebody, with a Remote-Party-ID that may be shown',
        { extra: [known, 'Remote-Party-ID: <sip:+12025550123@x>;party=calling;privacy=off'] },
        '"+12025550177" <sip:+12025550177@trunk.invalid>',
      ],
      [
        'From’s name beside an assertion of the same number',
        { from: '"Ann" <sip:+12025550177@x>', extra: [known] },
        '"Ann" <sip:+12025550177@trunk.invalid>',
      ],
      [
        'no name of another number',
        { from: '"Ann" <sip:+12025550111@x>', extra: [known] },
        '"+12025550177" <sip:+12025550177@trunk.invalid>',
      ],
      [
        'a number with an escaped plus sign',
        { extra: ['P-Asserted-Identity: <sip:%2B12025550124@x>'] },
        '"+12025550124" <sip:+12025550124@trunk.invalid>',
      ],
      [
        'From with escapes',
        { from: '"Ann" <sip:%2b1%32025550124@x>' },
        '"Ann" <sip:+12025550124@trunk.invalid>',
      ],
      ['nobody, with an escaped NUL', { extra: ['P-Asserted-Identity: <sip:%2B1202%00%22x@x>'] }, anonymous],
      ['nobody, From being anonymous', { from: '"Anonymous" <sip:anonymous@anonymous.invalid>' }, anonymous],
      ['nobody, From being Anonymous anywhere', { from: '<sip:Anonymous@x>', extra: [known] }, anonymous],
      ['nobody, From having no user', { from: '<sip:carrier.example>' }, anonymous],
      ['nobody, From being no name to show', { from: '<sip:a%22%3e@x>' }, anonymous],
      ['nobody, From being too long', { from: `<sip:${'1'.repeat(41)}@x>` }, anonymous],
      ['no name that is too long', { from: `"${'n'.repeat(81)}" <sip:1@x>` }, '"1" <sip:1@trunk.invalid>'],
      ['no name with escapes', { from: '"a\\"b" <sip:1@x>' }, '"1" <sip:1@trunk.invalid>'],
      [
        'a name with percent signs, which the switch decodes once',
        { from: '"100 % or 20%41 off" <sip:1@x>' },
        '"100 %25 or 20%2541 off" <sip:1@trunk.invalid>',
      ],
      [
        'no asserted name with an encoded line break',
        { extra: ['P-Asserted-Identity: "a%0d%0aX-Evil: 1" <sip:1@x>'] },
        '"1" <sip:1@trunk.invalid>',
      ],
    ] as const) {
      it(`is ${what}`, async () => {
        expect(await asserted(options)).to.equal(expected)
      })
    }

    it('is From alone where the ACL does not trust what the carrier asserts', async () => {
      expect(await asserted({ extra: [known] }, trunk.number)).to.equal(
        '"+12025550123" <sip:+12025550123@trunk.invalid>',
      )
      expect(await asserted({ extra: [known, 'Privacy: id'] }, trunk.number)).to.equal(anonymous)
    })
  })
})

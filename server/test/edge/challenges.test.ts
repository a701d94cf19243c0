import { expect } from 'chai'
import { headers } from '../support/sip-message.js'
import { SipPhone } from '../support/sip-phone.js'
import { EdgeWorld } from './accounts.js'

const digest = 'Digest realm="carrier", nonce="abc123==", algorithm=MD5, qop="auth"'

/** What a carrier may ask for, and what of it reaches the switch, which answers all that it knows. */
const challenges: [title: string, status: 401 | 407, sent: string[], passed: string[]][] = [
  ['Basic', 407, ['Proxy-Authenticate: Basic realm="carrier"'], []],
  ['Basic in the other header', 401, ['WWW-Authenticate: Basic realm="carrier"'], []],
  ['BASIC, with a space before the colon', 401, ['WWW-Authenticate : BASIC realm="carrier"'], []],
  ['Bearer', 401, ['WWW-Authenticate: Bearer authz_server="https://x.example"'], []],
  ['a scheme without parameters', 407, ['Proxy-Authenticate: NTLM'], []],
  ['nothing', 407, ['Proxy-Authenticate: '], []],
  [
    'Basic before Digest',
    407,
    ['Proxy-Authenticate: Basic realm="carrier"', `Proxy-Authenticate: ${digest}`],
    [digest],
  ],
  [
    'Digest before Basic',
    401,
    [`WWW-Authenticate: ${digest}`, 'www-authenticate: Basic realm="carrier"'],
    [digest],
  ],
  [
    'Digest, and Basic in the header that is not meant',
    407,
    [`Proxy-Authenticate: ${digest}`, 'WWW-Authenticate: Basic realm="carrier"'],
    [digest],
  ],
  ['both in one header', 407, [`Proxy-Authenticate: ${digest}, Basic realm="carrier"`], []],
  ['both in one header, Basic first', 407, [`Proxy-Authenticate: Basic realm="x", ${digest}`], []],
  [
    'Digest with the name of a scheme in a realm',
    401,
    ['WWW-Authenticate: Digest realm="a, Basic realm=b", nonce="x"'],
    ['Digest realm="a, Basic realm=b", nonce="x"'],
  ],
  [
    'MD5-sess and auth-int',
    401,
    ['WWW-Authenticate: Digest realm="c", nonce="x", algorithm=MD5-sess, qop="auth,auth-int"'],
    ['Digest realm="c", nonce="x", algorithm=MD5-sess, qop="auth,auth-int"'],
  ],
]

describe('edge: challenges of carriers', function () {
  this.timeout(60_000)
  let world: EdgeWorld
  let fabric: SipPhone
  let carrier: SipPhone

  before(async () => {
    world = await EdgeWorld.start()
    fabric = await SipPhone.asSwitch(world.edge.options)
    const of = { username: '+12125550111', domain: 'carrier.example', password: '' }
    carrier = await SipPhone.open(world.edge.options, { ...of, host: '127.0.0.81' })
  })
  after(async () => {
    fabric?.close()
    carrier?.close()
    await world?.stop()
  })

  for (const [title, status, extra, passed] of challenges) {
    it(`${passed.length > 0 ? 'let Digest through' : 'are stopped'}: ${title}`, async () => {
      carrier.answerTo = (request) => carrier.reply(request, status, 'Who are you', { extra })
      const answer = await fabric.request('INVITE', carrier.contact, { to: carrier.contact })
      expect(answer.status).to.equal(status)
      const seen = [...headers(answer, 'WWW-Authenticate'), ...headers(answer, 'Proxy-Authenticate')]
      expect(seen).to.deep.equal(passed)
      expect(answer.text).not.to.match(/^(WWW|Proxy)-Authenticate\s*: *(Basic|Bearer|NTLM)/im)
    })
  }

  it('are stopped in answers of any status', async () => {
    carrier.answerTo = (request) =>
      carrier.reply(request, 403, 'Forbidden', { extra: ['Proxy-Authenticate: Basic realm="carrier"'] })
    const answer = await fabric.request('INVITE', carrier.contact, { to: carrier.contact })
    expect(answer.status).to.equal(403)
    expect(answer.text).not.to.match(/Basic/)
  })
})

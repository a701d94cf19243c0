import { expect } from 'chai'
import {
  channelVariables,
  dialledName,
  displayText,
  forkedDialString,
  sipEndpoint,
} from '../../src/adapters/freeswitch/dial-string.js'

describe('dial strings', () => {
  const target = {
    user: '+12025550100',
    host: 'carrier.example',
    port: 5060,
    transport: 'udp',
    proxy: '127.0.0.2:5060',
  } as const

  it('name a SIP domain without a port', () => {
    expect(sipEndpoint({ ...target, user: 'alice', host: 'acme.sip.example', port: null })).to.match(
      /^sofia\/edge\/sip:alice@acme\.sip\.example;fs_path=/,
    )
  })

  it('name a SIP endpoint, its transport and the proxy', () => {
    expect(sipEndpoint(target)).to.equal(
      'sofia/edge/sip:+12025550100@carrier.example:5060;fs_path=%3Csip%3A127.0.0.2%3A5060%3Blr%3E',
    )
    expect(sipEndpoint({ ...target, transport: 'tls', host: '2001:db8::1' })).to.match(
      /^sofia\/edge\/sip:\+12025550100@\[2001:db8::1\]:5060;transport=tls;fs_path=/,
    )
  })

  it('take no user that would say more than a user', () => {
    for (const user of ['', 'a b', 'a@b', 'a;b', 'a,b', 'a|b', "a'b", 'a\n', '${x}']) {
      expect(() => sipEndpoint({ ...target, user }), user).to.throw()
    }
  })

  it('carry any printable text in their variables, as the switch undoes it', () => {
    const values = [
      'plain',
      "O'Brien",
      'a,b',
      'a\\b',
      'a b',
      '"quoted"',
      '\\',
      ",'\\ ,'",
      '😀',
      '[a|b]',
      'x=y',
    ]
    for (const value of [...values, '$', '$$', "\\'$a"]) {
      expect(undone(channelVariables({ name: value })), value).to.equal(value)
      expect(undone(expanded(channelVariables({ name: value }, 'bridge')), false), value).to.equal(value)
    }
  })

  it('name several endpoints at once: what they share, and then what each has of its own', () => {
    const both = [
      { name: "O'Brien, [a]", kind: 'sip', uuid: '1' },
      { name: "O'Brien, [a]", kind: 'webrtc', uuid: '2', ice: 'true' },
    ]
    const text = forkedDialString(both, ['sofia/a', 'sofia/b'])
    expect(text).to.equal(
      `${channelVariables({ name: "O'Brien, [a]" }, 'bridge')}[kind=sip,uuid=1]sofia/a,[kind=webrtc,uuid=2,ice=true]sofia/b`,
    )
    expect(() => forkedDialString([{ x: 'a' }, { x: 'b,c' }], ['sofia/a', 'sofia/b'])).to.throw(/x differs/)
  })

  it('take no value that no escape can carry', () => {
    for (const value of ['a}b', '{', 'a\nb', '\u0000', 'a:_:b']) {
      expect(() => channelVariables({ name: value }), value).to.throw(/name/)
    }
    expect(() => channelVariables({ 'a=b': 'x' })).to.throw()
  })

  it('show the names that people wrote, without what the switch would take for its own', () => {
    expect(displayText('Acme "Sons" & Co.')).to.equal('Acme ”Sons” & Co.')
    expect(displayText('${api(x)}\r\n<sip:a@b>|^\\')).not.to.match(/[${}\r\n<>|^\\]/)
    expect(displayText('é漢😀')).to.equal('é漢😀')
    expect(displayText('20%41 off')).to.equal('20%41 off')
  })

  it('dial with names whose percent signs the switch decodes to what was written', () => {
    for (const name of ['20%41 off', '100 %', 'pct %0d%0aX-Evil: 1', '%250d', '%']) {
      expect(decodeURIComponent(dialledName(name))).to.equal(name)
    }
  })
})

/** What the switch makes of an application's argument before the application sees it (switch_channel.c). */
function expanded(text: string): string {
  return text.replace(/\\([\\'$])\$?|\$\$/g, (whole, sign: string | undefined) => {
    if (sign === "'") return ''
    return sign === '\\' && whole.endsWith('$') ? '\\$' : (sign ?? '$')
  })
}

/** Takes one variable out of a dial string as switch_utils.c does: at spaces, at commas, at the equals sign. */
function undone(text: string, atSpaces = true): string {
  const unescaped = (part: string) =>
    part.replace(/\\(.)/gs, (_, sign: string) => (sign === 's' ? ' ' : sign))
  const inner = text.slice(1, -1)
  const afterSpaces = atSpaces ? unescaped(inner) : inner
  const afterCommas = afterSpaces.replace(/\\([\\',])/g, '$1')
  const [, value = ''] = /^name=(.*)$/s.exec(afterCommas) ?? []
  return value.replace(/\\([\\'])/g, '$1')
}

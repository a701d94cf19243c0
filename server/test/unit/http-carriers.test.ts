/** Templates, pointers, signatures and posts of carriers over HTTP. */
import { expect } from 'chai'
import { settingProblems } from '../../src/adapters/sms/kinds/http/check-settings.js'
import { storedId, parseJson, textAt, valueAt } from '../../src/adapters/sms/kinds/http/pointers.js'
import {
  UnreadablePostError,
  readPost,
  receiptsOf,
  textsOf,
} from '../../src/adapters/sms/kinds/http/posts.js'
import {
  type HttpCarrierSettings,
  type ReceiptMapping,
  commonStatuses,
} from '../../src/adapters/sms/kinds/http/settings.js'
import { compileTemplate } from '../../src/adapters/sms/kinds/http/template.js'
import { NUMBER_DEFAULTS } from '../../src/adapters/sms/numbers.js'
import { isSigned, signatureOf } from '../../src/infrastructure/http-client/signature.js'

const values = {
  ...{ from: '+1', to: '+2', body: '"}, {{to}} \\ \u2028 &=+', message_id: 'msg_1', encoding: 'gsm7' },
  ...{ segments: 2, media_urls: ['http://a/?x=1&y', 'http://b'] },
}
const json = (body: unknown) =>
  compileTemplate({ content_type: 'application/json', body: JSON.stringify(body) })(values)
const form = (body: string) =>
  compileTemplate({ content_type: 'application/x-www-form-urlencoded', body })(values)

describe('templates of requests', () => {
  it('put texts into JSON so that they cannot break out of it', () => {
    const made = json([{ to: '{{ to }}', text: 'Re: {{body}}!', deep: { n: 1, parts: '{{segments}}' } }])
    const deep = { n: 1, parts: 2 }
    expect(JSON.parse(made)).to.deep.equal([{ to: '+2', text: `Re: ${values.body}!`, deep }])
  })

  it('put texts into forms so that they cannot break out of them', () => {
    expect([...new URLSearchParams(form('a={{to}}&b={{body}}&c=%7B+{{segments}}'))]).to.deep.equal([
      ['a', '+2'],
      ['b', values.body],
      ['c', '{ 2'],
    ])
  })

  it('write lists of files as each form has them', () => {
    expect(JSON.parse(json({ media: '{{media_urls}}' }))).to.deep.equal({ media: values.media_urls })
    expect(new URLSearchParams(form('m={{media_urls}}')).getAll('m')).to.deep.equal(values.media_urls)
    const none = { ...values, media_urls: [] }
    const [ofJson, ofForm] = (['application/json', 'application/x-www-form-urlencoded'] as const).map(
      (content_type, index) =>
        compileTemplate({
          content_type,
          body: ['{"a":"b","m":"{{media_urls}}"}', 'a=b&m={{media_urls}}'][index]!,
        }),
    )
    expect(ofJson!(none)).to.equal('{"a":"b"}')
    expect(ofForm!(none)).to.equal('a=b')
  })

  it('are refused when they hold what is not known', () => {
    for (const [body, problem] of [
      ['{"a": "{{too}}"}', /unknown placeholder \{\{too\}\}.*\{\{to\}\}/],
      ['{"a": {{to}}}', /must be JSON/],
      ['"{{to}}"', /object or array/],
      ['{"a": "see {{media_urls}}"}', /value of its own/],
      ['{"{{to}}": 1}', /in names/],
    ] as const) {
      expect(() => compileTemplate({ content_type: 'application/json', body }), body).to.throw(problem)
    }
    expect(() => form('{{to}}=1')).to.throw(/in names/)
    expect(() => form('a={{constructor}}')).to.throw(/unknown placeholder/)
  })
})

describe('pointers into JSON', () => {
  it('find what RFC 6901 says', () => {
    const document = { foo: ['bar', 'baz'], '': 0, 'a/b': 1, 'm~n': 8, ' ': 7 }
    expect(valueAt(document, '')).to.equal(document)
    for (const [pointer, value] of Object.entries({
      ...{ '/foo/0': 'bar', '/': '0', '/a~1b': '1', '/m~0n': '8', '/ ': '7' },
      ...{ '/foo': null, '/foo/2': null, '/foo/-': null, '/foo/01': null, '/foo/length': null },
      ...{ '/constructor': null, '/foo/0/0': null, '/x/y': null },
    })) {
      expect(textAt(document, pointer), pointer).to.equal(value)
    }
    expect(textAt(document, null)).to.equal(null)
  })

  it('lose no digit of a long number', () => {
    const text =
      '{"id": 12345678901234567890, "in": "1234567890123456789 \\" 1234567890123456", "x": 1.2345678901234567e3, "s": -1234567890123456}'
    expect(parseJson(text)).to.deep.equal({
      ...{ id: '12345678901234567890', in: '1234567890123456789 " 1234567890123456' },
      ...{ x: 1234.5678901234567, s: '-1234567890123456' },
    })
    for (const wrong of ['', '{', '01234567890123456', '{"a":1234567890123456789b}']) {
      expect(() => parseJson(wrong), wrong).to.throw(SyntaxError)
    }
  })

  it('make ids that can be kept', () => {
    expect(storedId('Abc-1:2')).to.equal('Abc-1:2')
    expect(storedId('a'.repeat(129))).to.equal(storedId('a'.repeat(129)))
    expect(storedId('a'.repeat(129))).to.not.equal(storedId('a'.repeat(130)))
    expect(storedId('ü')).to.match(/^[0-9a-f]{64}$/)
  })
})

describe('signatures of carriers', () => {
  const [body, secret, at] = ['{"a":"ü"}', 'secret', new Date('2026-11-22T07:00:00Z')]
  const bytes = Buffer.from(body)
  const later = (seconds: number) => new Date(at.getTime() + seconds * 1_000)

  it('hold for five minutes, for what they sign, by who knows the secret', () => {
    const header = signatureOf(body, secret, at)
    for (const seconds of [0, 299, -299])
      expect(isSigned(header, bytes, secret, later(seconds))).to.equal(true)
    for (const seconds of [301, -301]) expect(isSigned(header, bytes, secret, later(seconds))).to.equal(false)
    expect(isSigned(header, Buffer.from('{"a":"u"}'), secret, at)).to.equal(false)
    expect(isSigned(header, bytes, 'another', at)).to.equal(false)
    const [time = '', digest = ''] = header.split(',')
    for (const wrong of [
      '',
      digest,
      `${digest},${time}`,
      `t=${later(1).getTime() / 1_000},${digest}`,
      `${header}0`,
    ]) {
      expect(isSigned(wrong, bytes, secret, at), wrong).to.equal(false)
    }
  })

  it('are of the bytes, whatever these are', () => {
    const odd = Buffer.from([0xff, 0xfe, 0x00])
    const header = signatureOf(odd, secret, at)
    expect(isSigned(header, odd, secret, at)).to.equal(true)
    expect(isSigned(header, Buffer.from([0xff, 0xfd, 0x00]), secret, at)).to.equal(false)
  })
})

const inbound = {
  items: null,
  from: '/From',
  to: '/To',
  body: '/Body',
  id: '/Id',
  media: ['/Media', '/More'],
}
const receipts: ReceiptMapping = {
  ...{ items: '/results', id: '/id', status: '/status/name', to: '/to' },
  ...{
    error_code: '/error/code',
    error_message: '/error/text',
    statuses: { ...commonStatuses, DELIVRD: 'delivered' },
  },
} as const

const formType = 'application/x-www-form-urlencoded'

describe('posts of carriers', () => {
  it('are read as forms', () => {
    const raw = Buffer.from(
      'From=%2B44+7700-900123&To=0012025550100&Body=a%26b+%E2%82%AC&Id=1&Media=http://a&Media=http://b',
    )
    const document = readPost({ contentType: `${formType}; charset=utf-8`, body: raw })
    const [text] = textsOf(inbound, document)
    expect(text).to.deep.include({
      from: '447700900123',
      to: '12025550100',
      body: 'a&b €',
      concatenation: null,
    })
    expect(text!.carrier_message_id).to.equal('1')
    expect(text!.media.map(({ url }) => url)).to.deep.equal(['http://a', 'http://b'])
    expect(textsOf(inbound, document)).to.deep.equal([text])
  })

  it('are read as JSON, with files however they are named', () => {
    const post = {
      ...{ From: 'BANK', To: 12025550100, Media: { url: 'http://a', content_type: 'image/png' } },
      More: ['http://b', { url: 'http://c' }, { href: 'http://d' }, 7],
    }
    const [text] = textsOf(
      inbound,
      readPost({ contentType: 'application/vnd.x+json', body: Buffer.from(JSON.stringify(post)) }),
    )
    expect(text).to.deep.include({ from: 'BANK', to: '12025550100', body: '', carrier_message_id: null })
    expect(text!.media).to.deep.equal([
      { url: 'http://a', content_type: 'image/png' },
      { url: 'http://b', content_type: null },
      { url: 'http://c', content_type: null },
    ])
  })

  it('may hold several receipts, in the carrier’s words', () => {
    const results = ['Delivered', 'DELIVRD', 'EXPIRED', 'rejected', 'buffered'].map((name, index) => ({
      ...{ id: index + 1, to: '+447700900123', status: { name } },
      ...(index === 3 && { error: { code: 9, text: 'Blocked' } }),
    }))
    const read = receiptsOf(receipts, { results })
    expect(read.map(({ state }) => state)).to.deep.equal([
      ...['delivered', 'delivered', 'undelivered', 'failed', 'pending'],
    ])
    expect(read[3]).to.deep.equal({
      ...{ carrier_message_ids: ['4'], to: '447700900123', state: 'failed' },
      ...{ error_code: '9', error_message: 'Blocked' },
    })
  })

  it('take as long for one long number as for any text', () => {
    const before = process.cpuUsage().user
    for (const number of [`${'1'.repeat(900_000)}.5`, `${'1'.repeat(900_000)}e1`]) {
      expect(
        readPost({
          contentType: 'application/json',
          body: Buffer.from(`{"a":${number},"b":12345678901234567}`),
        }),
      ).to.deep.equal({
        ...{ a: Infinity, b: '12345678901234567' },
      })
    }
    expect((process.cpuUsage().user - before) / 1_000, 'milliseconds').to.be.below(3_000)
  })

  it('are read in one pass, whatever names a form has', () => {
    const form = Array.from({ length: 1_000 }, (_, index) => `n${index % 500}=${index}`).join('&')
    const fields = readPost({ contentType: formType, body: Buffer.from(form) }) as Record<string, unknown>
    expect(Object.keys(fields)).to.have.length(500)
    expect(fields['n7']).to.deep.equal(['7', '507'])
    expect(readPost({ contentType: formType, body: Buffer.from('a=&__proto__=x') })).to.deep.equal(
      Object.fromEntries([
        ['a', ''],
        ['__proto__', 'x'],
      ]),
    )
  })

  it('are refused when they lack what is needed, and told so', () => {
    const manyFields = Buffer.from(Array.from({ length: 200_000 }, (_, index) => `n${index}=`).join('&'))
    for (const [work, told] of [
      [() => readPost({ contentType: 'text/plain', body: Buffer.from('x') }), /Send JSON/],
      [() => readPost({ contentType: formType, body: manyFields }), /at most 1000 fields/],
      [() => readPost({ contentType: 'application/json', body: Buffer.from('{') }), /not valid JSON/],
      [() => textsOf(inbound, { From: '1' }), /text at \/To/],
      [() => textsOf(inbound, null), /text at \/From/],
      [() => receiptsOf(receipts, {}), /list at \/results/],
      [() => receiptsOf(receipts, { results: [{ id: '1' }] }), /text at \/status\/name/],
      [() => receiptsOf(receipts, { results: Array(1_001).fill({}) }), /At most 1000/],
    ] as const) {
      expect(work).to.throw(UnreadablePostError, told)
    }
  })
})

describe('posts of other carriers', () => {
  it('have fields in the query, and texts as plain bodies', () => {
    const query = 'from=1&token=secret&to=2'
    expect(readPost({ contentType: '', body: Buffer.alloc(0), query })).to.deep.equal({ from: '1', to: '2' })
    const read = (contentType: string, body: Buffer | string, asked = query) =>
      readPost({ contentType, body: Buffer.from(body), query: asked })
    const plain = read('text/plain; charset=UTF-16BE', Buffer.from([0x04, 0x14, 0x04, 0x30]))
    expect(plain).to.deep.equal({ from: '1', to: '2', body: 'Да' })
    expect(read('text/plain', 'é', 'body=said')).to.deep.equal({ body: 'said' })
    expect(read('application/json', '{"to":3}')).to.deep.equal({ from: '1', to: 3 })
    expect(read(formType, 'to=4')).to.deep.equal({ from: '1', to: '4' })
    expect(() => read('text/plain; charset=klingon', 'x')).to.throw(UnreadablePostError)
  })

  it('are read in the character set that they name, or that their octets show', () => {
    const read = (contentType: string, body: string, charset: string | null = null) =>
      readPost({ contentType, body: Buffer.from(body, 'latin1'), mapping: { body: '/body', charset } }) as {
        body: string
      }
    expect(read(formType, 'body=caf%C3%A9').body).to.equal('café')
    expect(read(formType, 'body=caf%E9+%80').body).to.equal('café €')
    expect(read(formType, 'body=caf\xe9').body).to.equal('café')
    expect(read(`${formType}; charset=ISO-8859-2`, 'body=%B1').body).to.equal('ą')
    expect(read(`${formType}; charset=utf-16`, 'body=%FF%FE%14%04').body).to.equal('Д')
    expect(read(`${formType}; charset="koi8-r"`, 'body=%E4%C1').body).to.equal('Да')
    expect(read('application/json; charset=iso-8859-1', '{"body":"caf\xe9"}').body).to.equal('café')
    expect(read('application/json', '{"body":"caf\xe9"}').body).to.equal('café')
    // Kannel writes %C so: GSM where the text is UTF-8.
    for (const [form, text] of [
      ['body=%D8%3D%DE%00&cs=UTF-16BE', '😀'],
      ['cs=UCS-2&body=%04%14%040', 'Да'],
      ['cs=GSM&body=caf%C3%A9', 'café'],
      ['cs=&body=%C3%A9', 'é'],
      ['body=100%25+%zz%', '100% %zz%'],
    ] as const)
      expect(read(formType, form, '/cs').body, form).to.equal(text)
    const query = 'to=2&body=%04%14&cs=UTF-16BE'
    const mapping = { body: '/body', charset: '/cs' }
    expect(readPost({ contentType: '', body: Buffer.alloc(0), query, mapping })).to.deep.equal({
      ...{ body: 'Д', to: '2' },
      cs: 'UTF-16BE',
    })
  })

  it('have parts of long texts', () => {
    const mapping = { ...inbound, part_reference: '/ref', part: '/part', parts: '/total' }
    const part = (ref: string) =>
      textsOf(mapping, { From: '1', To: '2', ref, part: '2', total: 3 })[0]!.concatenation
    expect(part('7')).to.deep.equal({ reference: 7, index: 1, total: 3 })
    expect(part('a-word')).to.deep.equal(part('a-word'))
    expect(part('a-word')!.reference).to.not.equal(part('other')!.reference)
    expect(textsOf(mapping, { From: '1', To: '2' })[0]!.concatenation).to.equal(null)
  })

  it('have receipts with our ids, and with codes that mean an opt-out', () => {
    const mapping = { ...receipts, items: null, status: '/status', message_id: '/ref', error_code: '/code' }
    const own = 'msg_01jd0000000000000000000000'
    const [mine] = receiptsOf(mapping, { ref: own, status: 'delivered' })
    expect(mine).to.include({ message_id: own }).and.not.have.property('has_opted_out')
    const [stopped] = receiptsOf(mapping, { id: 'x', status: 'failed', code: 21610 }, { 21610: 'opted_out' })
    expect(stopped).to.include({ has_opted_out: true }).and.not.have.property('message_id')
    expect(receiptsOf({ ...mapping, message_id: null }, { id: own, status: 'sent' })[0]).to.include({
      message_id: own,
    })
  })
})

describe('settings of HTTP carriers', () => {
  it('are told all that is wrong with them, by field', () => {
    const settings: HttpCarrierSettings = {
      ...{ refusals: {}, encodings: { gsm7: 'gsm7', ucs2: 'ucs2' }, kinds: null },
      ...{
        url: 'https://sms.example.com',
        method: 'GET',
        content_type: 'application/json',
        body: '{"a":"{{b}}"}',
      },
      ...{ ...NUMBER_DEFAULTS, message_id: 'id', success_statuses: [] },
      success_value: { pointer: 'status', values: ['0'] },
      ...{ error_code: '/a~2', error_message: null, media: false, timeout_seconds: 10 },
      ...{ inbound_auth: 'token', inbound: { ...inbound, from: 'From', media: ['/a', 'b'] } },
      receipts: { ...receipts, items: 'results' },
    }
    const fields = settingProblems(settings).map(({ field }) => field)
    expect(fields).to.have.members([
      ...['body', 'content_type', 'message_id', 'success_value.pointer', 'error_code'],
      ...['inbound.from', 'inbound.media.1', 'receipts.items'],
    ])
    const right = { ...settings, method: 'POST', body: '{"a":"{{to}}"}', message_id: 'header:X-Id' } as const
    expect(
      settingProblems({ ...right, success_value: null, error_code: null, inbound, receipts }),
    ).to.deep.equal([])
  })
})

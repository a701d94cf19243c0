/** The OpenAPI document and the page to read it. */
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect } from 'chai'
import { type IncomingHttpHeaders, get } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { Appliance } from '../support/appliance.js'
import { startUnlimited } from './fixtures.js'

describe('the OpenAPI document', () => {
  let appliance: Appliance
  before(async () => {
    appliance = await startUnlimited()
  })
  after(async () => appliance?.stop())

  it('is valid OpenAPI 3.1', async () => {
    const { body, headers } = await appliance.operator.get('/openapi.json')
    expect(headers['content-type']).to.match(/^application\/json/)
    const validator = new Validator()
    const { valid, errors } = await validator.validate(body as Record<string, unknown>)
    expect(errors).to.equal(undefined)
    expect(valid).to.equal(true)
    expect(validator.version).to.equal('3.1')
  })

  it('names every operation once and says what it needs', async () => {
    const { body } = await appliance.operator.get('/openapi.json')
    const operations = Object.values(body.paths as object).flatMap((methods) =>
      Object.values(methods as object),
    )
    const ids = operations.map(({ operationId }) => operationId as string)
    expect(new Set(ids).size).to.equal(ids.length)
    for (const operation of operations) {
      expect(operation.summary, operation.operationId).to.be.a('string')
      const needed = operation['x-auth'].scheme === 'visitor' ? 0 : 1
      expect(operation.security, operation.operationId).to.have.length.of.at.least(needed)
    }
  })

  it('has patterns that mean the same without the flag u, which generated clients leave out', async () => {
    const { body } = await appliance.operator.get('/openapi.json')
    const patterns = new Set<string>()
    const collect = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return
      for (const [key, inner] of Object.entries(value)) {
        if (key === 'pattern' && typeof inner === 'string') patterns.add(inner)
        else collect(inner)
      }
    }
    collect(body)
    expect(patterns.size).to.be.greaterThan(30)
    const pieces = [
      '😀',
      '\ud83d',
      '\ude00',
      'é',
      'e\u0301',
      'ſ',
      'K',
      'p{L}',
      'u',
      'x',
      '\u0000',
      '\n',
      '\u2028',
      '𝒜',
      'a',
      '+1',
      '-',
    ]
    const texts = pieces.flatMap((one) => [
      one,
      one + one,
      `a${one}`,
      `${one}a`,
      `https://${one}`,
      `+1202555${one}`,
    ])
    for (const pattern of patterns) {
      expect(pattern, 'control characters, surrogates, properties').not.to.match(/\\[uxpPc]|[^ -~]/)
      const [plain, unicode] = [new RegExp(pattern), new RegExp(pattern, 'u')]
      const differing = texts.filter((text) => plain.test(text) !== unicode.test(text))
      expect(differing, pattern).to.deep.equal([])
    }
  })

  it('has defaults that are values of their own schemas, which generated clients take them for', async () => {
    const { body } = await appliance.operator.get('/openapi.json')
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    ajv.addSchema({ $id: 'document', components: body.components as object })
    const wrong: string[] = []
    let count = 0
    const check = (value: unknown, at: string): void => {
      if (typeof value !== 'object' || value === null) return
      const { default: preset, ...schema } = value as Record<string, unknown>
      if (preset !== undefined && (schema['type'] ?? schema['enum'] ?? schema['anyOf']) !== undefined) {
        const text = JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/')
        if (!ajv.validate(JSON.parse(text) as object, preset)) wrong.push(`${at}: ${ajv.errorsText()}`)
        count++
      }
      for (const [key, inner] of Object.entries(value)) if (key !== 'default') check(inner, `${at}/${key}`)
    }
    check(body, '')
    expect(wrong).to.eql([])
    expect(count).to.be.greaterThan(100)
  })

  it('has a page, which loads nothing from elsewhere', async () => {
    const page = await appliance.operator.get('/docs')
    expect(page.status).to.equal(200)
    expect(page.headers['content-type']).to.match(/^text\/html/)
    expect(page.headers['content-security-policy']).to.include("default-src 'self'")
    const html = String(page.body)
    expect(html).not.to.match(/https?:/)
    for (const [, address] of html.matchAll(/(?:src|href)="([^"]+)"/g)) {
      const part = await appliance.operator.get(`/${address}`)
      expect(part.status, address).to.equal(200)
      expect((part.body as Buffer).length).to.be.greaterThan(50)
    }
    for (const other of ['package.json', '..%2fpackage.json', 'index.js', '%00']) {
      expect((await appliance.operator.get(`/docs/${other}`)).status, other).to.equal(404)
    }
  })

  it('comes packed to those who ask for it, as lists of some length and the page’s program do', async () => {
    const { port } = appliance
    const { api } = await appliance.workspace()
    const raw = async (path: string, coding?: string) =>
      new Promise<{ headers: IncomingHttpHeaders; bytes: Buffer }>((resolve, reject) => {
        const headers = {
          ...{ host: `${api.host}:${port}`, authorization: api.authorization },
          ...(coding && { 'accept-encoding': coding }),
        }
        get({ host: '127.0.0.1', port, path: `/api/v1${path}`, headers }, (answer) => {
          buffer(answer).then((bytes) => resolve({ headers: answer.headers, bytes }), reject)
        }).on('error', reject)
      })
    const long = 'Miller & Sons, Ltd. '.repeat(4)
    for (let index = 0; index < 80; index++) {
      const contact = { name: `${long}${index}`, numbers: [`+120255501${index + 10}`] }
      const made = await api.post('/contacts', contact)
      expect(made.status, JSON.stringify(made.body)).to.equal(201)
    }
    for (const path of ['/openapi.json', '/docs/swagger-ui-bundle.js', '/contacts?limit=80']) {
      const plain = await raw(path)
      expect(plain.headers, path).not.to.have.property('content-encoding')
      expect(plain.headers['content-length']).to.equal(String(plain.bytes.length))
      expect((await raw(path, 'br;q=0, identity')).bytes.equals(plain.bytes), path).to.equal(true)
      for (const [asked, coding, unpack] of [
        ['gzip, deflate', 'gzip', gunzipSync],
        ['gzip, deflate, br', 'br', brotliDecompressSync],
      ] as const) {
        const { headers, bytes } = await raw(path, asked)
        expect(headers, path).to.include({ 'content-encoding': coding, vary: 'Accept-Encoding' })
        expect(headers['content-type']).to.equal(plain.headers['content-type'])
        expect(headers['content-length']).to.equal(String(bytes.length))
        expect(bytes.length, path).to.be.below(plain.bytes.length / 2.5)
        expect(unpack(bytes).equals(plain.bytes), path).to.equal(true)
      }
    }
    for (const path of ['/contacts?limit=20', '/nothing'])
      expect((await raw(path, 'gzip')).headers, path).not.to.have.property('content-encoding')
  })

  it('is beside health, which any host may ask', async () => {
    const { status, body } = await appliance.operator.with({ host: '127.0.0.1' }).get('/health')
    expect(status).to.equal(200)
    expect(body).to.deep.include({ status: 'ok' })
    expect(body.parts).to.include({ database: 'up', switch: 'up' })
  })

  it('is not mistaken for what is not there', async () => {
    for (const [method, path] of [
      ['GET', '/nothing'],
      ['DELETE', '/phone-numbers'],
      ['PUT', '/workspaces'],
    ] as const) {
      const { status, body } = await appliance.operator.request(method, path)
      expect(status).to.equal(404)
      expect(body).to.deep.include({ statusCode: 404, error: 'Not Found' })
    }
  })
})

/** Each sentence by which the API refuses something is said to people in words of their own, in every language. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ApiError } from '@jackfield/sdk'
import { expect } from 'chai'
import i18next from 'i18next'
import { runnerImport } from 'vite'
import { ValidationError } from '../../../server/dist/src/infrastructure/http/errors.js'
import { bodyValidator } from '../../../server/dist/src/infrastructure/http/validation.js'
import { meaningOf } from '../../../server/dist/src/adapters/sms/kinds/smpp/receipt-words.js'
import {
  notStored,
  recordingFailures,
} from '../../../server/dist/src/features/recordings/recording-failures.js'
import { apiSentences, bodyFields } from './support/api-sentences.js'

const source = fileURLToPath(new URL('../../src/', import.meta.url))

interface Words {
  errorInWords: (error: ApiError) => string
  ruleInWords: (field: string, message: string) => string
  labelOf: (field: string) => string
  reportInWords: (text: string) => string
}

/** One schema for each rule, and a value that breaks it. */
const broken: [schema: object, value: unknown][] = [
  [{ type: 'object', properties: { a: {} }, required: ['a'] }, {}],
  [{ type: 'object', additionalProperties: false }, { stauts: 1 }],
  [{ type: 'object', minProperties: 1 }, {}],
  [
    { type: 'object', maxProperties: 1 },
    { a: 1, b: 2 },
  ],
  [{ type: 'object', propertyNames: { type: 'string', pattern: '^a$', 'x-rule': 'printable' } }, { b: 1 }],
  ...['string', 'integer', 'number', 'boolean', 'object', 'array', 'null'].map((type): [object, unknown] => [
    { type },
    type === 'array' ? 'a' : [1],
  ]),
  [{ type: ['string', 'null'] }, []],
  [{ type: 'string', minLength: 2 }, 'a'],
  [{ type: 'string', maxLength: 2 }, 'abc'],
  [{ type: 'string', pattern: '^a$' }, 'b'],
  ...['email', 'uri', 'date', 'date-time', 'uuid'].map((format): [object, unknown] => [
    { type: 'string', format },
    '!',
  ]),
  [{ type: 'number', minimum: 2 }, 1],
  [{ type: 'number', maximum: 2 }, 3],
  [{ type: 'number', exclusiveMinimum: 2 }, 2],
  [{ type: 'number', exclusiveMaximum: 2 }, 2],
  [{ type: 'number', multipleOf: 5 }, 3],
  [{ type: 'number', 'x-decimals': 2 }, 1.234],
  [{ type: 'array', minItems: 2 }, []],
  [{ type: 'array', maxItems: 1 }, [1, 2]],
  [{ type: 'array', uniqueItems: true }, [1, 1]],
  [{ enum: ['a', 'b'] }, 'c'],
  [{ const: 'a' }, 'b'],
  [{ oneOf: [{ type: 'number' }, { type: 'number', minimum: 0 }] }, 1],
  [{ not: { type: 'number' } }, 1],
]

/** The API's answer to a value that breaks a schema. */
function problemOf(schema: object, value: unknown): { field: string; message: string } {
  try {
    bodyValidator({ type: 'object', properties: { title: schema } })({ title: value })
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error
    const [first] = error.errors
    return { field: first?.field ?? '', message: first?.messages[0] ?? '' }
  }
  throw new Error(`${JSON.stringify(schema)} took ${JSON.stringify(value)}`)
}

/** What stands at placeholders of the server's source: some text. */
const filled = (text: string) => text.replaceAll(/\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}/g, '7')
/** The general sentences that stand for what has no words. */
const unknown = /Details: |Einzelheiten: /

describe('The words for the API’s errors', () => {
  let words: Words
  const sentences = apiSentences()
  const fields = bodyFields()

  before(async () => {
    // What the console listens to in a browser.
    Object.assign(globalThis, { window: globalThis, document: { documentElement: {} } })
    globalThis.addEventListener ??= () => undefined
    const { module } = await runnerImport<Words>(`${source}api/problems/words.ts`, {
      ...{ logLevel: 'error', configFile: false, root: source },
    })
    words = module
    const german = JSON.parse(readFileSync(`${source}api/problems/locales/de.json`, 'utf8')) as object
    for (const [group, table] of Object.entries(german))
      i18next.addResourceBundle('de', `problems/${group}`, table)
  })

  for (const language of ['en', 'de']) {
    describe(`in ${language}`, () => {
      before(async () => i18next.changeLanguage(language))

      it('should say every rule of a schema', () => {
        for (const [schema, value] of broken) {
          const { field, message } = problemOf(schema, value)
          const said = words.ruleInWords(field, message)
          expect(said, message).not.to.match(unknown)
          expect(said, message).not.to.match(/title|\bmust\b|\{\{/)
        }
      })

      it('should say everything that the server refuses', () => {
        expect(sentences).to.have.length.above(400)
        const unsaid = sentences.filter(({ kind, text }) => {
          const message = filled(text)
          const said =
            kind === 'rule'
              ? words.ruleInWords('7', message)
              : words.errorInWords(new ApiError(400, { statusCode: 400, message }))
          return unknown.test(said) || said.includes('{{')
        })
        expect(unsaid.map(({ file, text }) => `${file}: ${text}`)).to.eql([])
      })

      it('should say what is reported of recordings and of tests of providers', () => {
        const kinds = ['unreachable', 'refused', 'slow', 'closed', 'protocol']
        const reports = [
          ...Object.values(recordingFailures),
          notStored('connect ECONNREFUSED'),
          ...kinds.map((kind) => `${kind}: 401 Unauthorized`),
          'its key cannot be read: set it again',
        ]
        const raw = reports.filter((text) => [text, `${text}.`].includes(words.reportInWords(text)))
        expect(language === 'en' ? raw.filter((text) => text.includes(': ')) : raw).to.eql([])
        expect(words.reportInWords('as odd as ever')).to.equal('as odd as ever')
      })

      it('should have a label for every field that can be sent', () => {
        expect(fields).to.have.length.above(150)
        const bare = fields.filter(
          (field) => words.labelOf(field).includes(field.replaceAll('_', ' ')) && field.includes('_'),
        )
        expect(bare).to.eql([])
      })
    })
  }

  it('should put the field before its rule where no form shows it', async () => {
    await i18next.changeLanguage('de')
    const errors = [
      {
        field: 'outbound_caller_id',
        messages: ['outbound_caller_id must be a phone number of this workspace, or empty'],
      },
    ]
    const error = new ApiError(400, { statusCode: 400, message: '', errors })
    expect(words.errorInWords(error)).to.equal(
      'Gezeigte Nummer: Wählen Sie eine Nummer dieses Arbeitsbereichs.',
    )
  })

  it('should say in general what it has no words for, with what the API says', async () => {
    await i18next.changeLanguage('en')
    const said = (status: number) =>
      words.errorInWords(new ApiError(status, { statusCode: status, message: 'odd' }))
    expect(said(409)).to.equal('Something else stands in the way of this. Details: odd')
    expect(said(500)).to.equal('The server failed. Details: odd')
    expect(said(418)).to.equal('The server did not accept this. Details: odd')
  })

  it('should know why a message did not arrive, by its code or the word of its receipt', async () => {
    // It begins the texts of its own: the last here.
    type Reason = (failure: { error_code: string | null; error_message: string | null }) => string | undefined
    const { module } = await runnerImport<{ failureReasonOf: Reason }>(
      `${source}api/message-failures/failure-words.ts`,
      { logLevel: 'error', configFile: false, root: source },
    )
    const { failureReasonOf } = module
    const codes = ['no_route', 'expired', 'no_receipt', 'too_long', 'no_media', 'media_unsupported']
    const ofLinks = ['unreachable', 'not_bound', 'address_refused', 'EXPIRED', 'UNDELIV', 'REJECTD']
    for (const error_code of [...codes, ...ofLinks])
      expect(failureReasonOf({ error_code, error_message: null }), error_code).to.be.a('string')
    const receipts =
      'DELETED EXPIRED UNDELIV UNKNOWN FAILED SKIPPED BLOCKED ABSENT INVALID REJECTD NO_CREDIT NO_ROUTE'
    for (const word of receipts.split(' ')) {
      const error_message = `${meaningOf(word, {}).meaning} (${word})`
      expect(failureReasonOf({ error_code: '012', error_message }), error_message).to.be.a('string')
    }
    expect(failureReasonOf({ error_code: '77', error_message: 'Ask us' })).to.equal(undefined)
  })
})

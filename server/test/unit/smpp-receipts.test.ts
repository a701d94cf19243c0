import { expect } from 'chai'
import { TAGS } from '../../src/adapters/sms/kinds/smpp/body.js'
import { storedId, storedIds } from '../../src/adapters/sms/kinds/smpp/message-ids.js'
import { parseReceipt } from '../../src/adapters/sms/kinds/smpp/receipt.js'

const parse = (text: string, parameters: [number, Buffer][] = [], isFinal = true) =>
  parseReceipt('12025550177', text, new Map(parameters), isFinal)

describe('receipts over SMPP', () => {
  const texts: [text: string, state: string, id: string, code?: string][] = [
    [
      'id:1799999999 sub:001 dlvrd:001 submit date:2611220700 done date:2611220701 stat:DELIVRD err:000 text:Hello',
      'delivered',
      '1799999999',
    ],
    [
      'id:c449ab9744 sub:001 dlvrd:001 submit date:261122070000 done date:261122070105 stat:DELIVRD err:000 text:',
      'delivered',
      'c449ab9744',
    ],
    [
      'id:0000012345 sub:1 dlvrd:0 submit date:20261122070000 done date:20261122070105 stat:UNDELIV err:1a4 text:x',
      'undelivered',
      '12345',
      '1a4',
    ],
    ['ID:AB12 STAT:EXPIRED ERR:0', 'undelivered', 'AB12', 'EXPIRED'],
    ['id: 77 Stat: Deleted Err: 69 Text: stat:DELIVRD', 'undelivered', '77', '69'],
    [
      'id:6fc1e4a0-0d3c-4a7e-9d9f-0b7c1a2b3c4d sub:001 stat:REJECTD err:5',
      'failed',
      '6fc1e4a0-0d3c-4a7e-9d9f-0b7c1a2b3c4d',
      '5',
    ],
    ['id:9 stat:ACCEPTD err:000 text:', 'delivered', '9'],
    ['id:9 stat:ENROUTE', 'pending', '9'],
    ['id:9 stat:UNKNOWN', 'undelivered', '9', 'UNKNOWN'],
    ['id:9 stat:DELIVERED err:0', 'delivered', '9'],
    ['id:9 stat:UNDELIVERABLE err:34', 'undelivered', '9', '34'],
    ['id:9 status:REJECTED', 'failed', '9', 'REJECTED'],
    ['id:9 stat:SOMETHING_NEW', 'pending', '9'],
    ['id:9', 'pending', '9'],
    [
      'sub:001 dlvrd:001 done_date:2611220701 submit_date:2611220700 stat:DELIVRD id:9 err:0 text:id:8',
      'delivered',
      '9',
    ],
  ]
  for (const [text, state, id, code = null] of texts) {
    it(`read ${text}`, () => {
      const receipt = parse(text)
      expect(receipt).to.include({ state, error_code: code, to: '12025550177' })
      expect(receipt?.carrier_message_ids[0]).to.equal(id)
      expect(receipt?.error_message === null).to.equal(code === null)
    })
  }

  it('believe parameters before the text', () => {
    const receipt = parse('id:22 stat:DELIVRD err:7', [
      [TAGS.receipted_message_id, Buffer.from('ab\0')],
      [TAGS.message_state, Buffer.from([5])],
      [TAGS.network_error_code, Buffer.from([3, 0x01, 0x00])],
    ])
    expect(receipt).to.include({
      state: 'undelivered',
      error_code: '256',
      error_message: 'not deliverable (UNDELIV)',
    })
    expect(receipt?.carrier_message_ids.slice(0, 1)).to.eql(['ab'])
    expect(receipt?.carrier_message_ids).to.include('22')
    for (const [state, word] of [
      [0, 'pending'],
      [1, 'pending'],
      [2, 'delivered'],
      [3, 'undelivered'],
      [4, 'undelivered'],
      [6, 'delivered'],
      [8, 'failed'],
      [200, 'pending'],
    ] as const) {
      expect(parse('id:1', [[TAGS.message_state, Buffer.from([state])]])?.state, String(state)).to.equal(word)
    }
  })

  it('are no end when they are intermediate, and nothing without an id', () => {
    expect(parse('id:1 stat:DELIVRD', [], false)).to.include({ state: 'pending', error_code: null })
    expect(parse('')).to.equal(null)
    expect(parse('stat:DELIVRD text:id:5')).to.equal(null)
    expect(parse('', [[TAGS.receipted_message_id, Buffer.from('\0')]])).to.equal(null)
  })

  it('know ids in decimal, in hexadecimal, and with zeros before them', () => {
    for (const [answered, receipted] of [
      ['1000000000', '3b9aca00'],
      ['1000000000', '3B9ACA00'],
      ['1000000000', '000000003B9ACA00'],
      ['3b9aca00', '1000000000'],
      ['3B9ACA00', '1000000000'],
      ['000000003B9ACA00', '1000000000'],
      ['3B9ACA00', '3b9aca00'],
      ['0001000000000', '1000000000'],
      ['18446744073709551615', 'ffffffffffffffff'],
      ['abc-DEF', 'abc-DEF'],
      ['0', '000'],
    ] as const) {
      expect(storedIds(receipted), `${answered} and ${receipted}`).to.include(storedId(answered))
    }
    expect(storedIds('1000000000')).to.eql(['1000000000', '3b9aca00', '3B9ACA00', '68719476736'])
    expect(storedIds('f'.repeat(64))).to.have.length(2)
  })
})

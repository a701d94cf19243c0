/** Rate decks: kept by the operator, imported as a whole or not at all, found by the longest prefix. */
import { expect } from 'chai'
import { eventually } from '../support/api-client.js'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { multipart } from '../support/audio-files.js'
import { query } from './database.js'
import { fieldsOf, newActiveNumber, startUnlimited, succeed } from './fixtures.js'
import { newTextingNumber } from './message-fixtures.js'

describe('rate decks', () => {
  let appliance: Appliance
  let workspace: TestWorkspace
  before(async () => {
    appliance = await startUnlimited()
    workspace = await appliance.workspace()
  })
  after(async () => appliance?.stop())

  const newDeck = async (is_default = false) =>
    (await succeed(appliance.operator.post('/rate-decks', { title: 'Wholesale', is_default }))).id as string
  const put = async (id: string, csv: string) =>
    appliance.operator.request('PUT', `/rate-decks/${id}/rates`, {
      raw: multipart({}, { name: 'rates.csv', content: Buffer.from(csv), type: 'text/csv' }),
    })
  const exported = async (id: string) => {
    const { body } = await appliance.operator.get(`/rate-decks/${id}/rates.csv`)
    return String(body)
  }
  const assign = async (rate_deck_id: string | null) =>
    appliance.operator.patch(`/workspaces/${workspace.id}`, { rate_deck_id })
  const rateOf = async (number: string, kind = 'outbound_call') =>
    (
      await succeed(
        appliance.operator.get(
          `/workspaces/${workspace.id}/rates/${encodeURIComponent(number)}?kind=${kind}`,
        ),
      )
    ).rate

  it('are imported, listed and exported as they were', async () => {
    const deck = await newDeck()
    const csv = [
      'kind,prefix,destination,price,connection_fee,minimum_seconds,increment_seconds,is_blocked,valid_from',
      'inbound_call,1202,"Washington, DC",0.001,0,1,1,false,',
      'message,*,World,0.02,0,1,1,false,',
      'outbound_call,*,World,0,0,1,1,true,',
      'outbound_call,53,Cuba,0.9,0.05,60,6,false,',
      'outbound_call,53,Cuba,1.1,0.05,60,6,false,2090-01-01T00:00:00.000Z',
      '',
    ].join('\r\n')
    const answer = await put(deck, csv)
    expect(answer.body, JSON.stringify(answer.body)).to.include({ id: deck, rates: 5 })
    expect(await exported(deck)).to.equal(csv)
    const { data, meta } = await succeed(
      appliance.operator.get(`/rate-decks/${deck}/rates?prefix=53&kind=outbound_call`),
    )
    expect(meta.total).to.equal(2)
    expect(data[0]).to.include({ destination: 'Cuba', price: 0.9, minimum_seconds: 60, valid_from: null })
    const log = await succeed(appliance.operator.get('/operator/audit-log?limit=2'))
    expect(log.data[0].action).to.equal('rate_deck.export')
    expect(log.data[0].target.id).to.equal(deck)
    expect(log.data[1]).to.deep.include({
      action: 'rate_deck.import',
      changes: { rates: { from: 0, to: 5 } },
    })
  })

  it('are refused line by line, and stay as they are then', async () => {
    const deck = await newDeck()
    await put(deck, 'prefix,price\n44,0.01\n')
    const wrong = [
      'prefix,price,minimum_seconds,is_blocked,valid_from',
      'x4,0.01,,,',
      '44,-1,,,',
      '45,0.0000001,,,',
      '46,1,0,maybe,yesterday',
      '47,1,,,',
      '+47,2,,,',
    ].join('\n')
    const answer = await put(deck, wrong)
    expect(fieldsOf(answer)).to.deep.equal([
      ...['file.2.prefix', 'file.3.price', 'file.4.price', 'file.5.is_blocked', 'file.5.minimum_seconds'],
      ...['file.5.valid_from', 'file.7.prefix'],
    ])
    expect(answer.body.message).to.match(/^line 2: prefix must be/)
    for (const csv of [
      'prefix\n44\n',
      'prefix,price,colour\n44,1,red\n',
      'prefix,price\n',
      'prefix,price\n"44,1\n',
    ]) {
      expect(fieldsOf(await put(deck, csv)), csv).to.deep.equal(['file'])
    }
    expect(await exported(deck)).to.match(/^outbound_call,44,,0.01,/m)
  })

  it('answer with the longest prefix, of the own deck before the default, from its time on', async () => {
    const [own, byDefault] = [await newDeck(), await newDeck(true)]
    await put(own, 'prefix,price,valid_from\n44,0.02,\n447,0.05,\n447,0.04,2020-01-01\n447,9,2090-01-01\n')
    await put(byDefault, 'prefix,price\n4479,0.5\n49,0.03\n')
    await assign(own)
    await eventually(
      async () => rateOf('+442071234567'),
      (rate) => rate?.price === 0.02,
      { what: 'the own deck' },
    )
    expect(await rateOf('+447911123456')).to.include({ prefix: '447', price: 0.04, rate_deck_id: own })
    expect(await rateOf('+4930123456')).to.include({ prefix: '49', price: 0.03, rate_deck_id: byDefault })
    expect(await rateOf('+33142685300')).to.equal(null)
    expect(await rateOf('+442071234567', 'message')).to.equal(null)
    const inUse = await appliance.operator.delete(`/rate-decks/${own}`)
    expect(inUse.status).to.equal(409)
    expect(fieldsOf(await assign('rd_none'))).to.deep.equal(['rate_deck_id'])
    await assign(null)
    expect((await appliance.operator.delete(`/rate-decks/${own}`)).status).to.equal(200)
    const another = await newDeck(true)
    expect((await succeed(appliance.operator.get(`/rate-decks/${byDefault}`))).is_default).to.equal(false)
    for (const deck of [another, byDefault]) await appliance.operator.delete(`/rate-decks/${deck}`)
  })

  it('have one default, also when several are made it at once', async () => {
    const made = await Promise.all(Array.from({ length: 8 }, async () => newDeck(true)))
    const defaults = async () => {
      const { data } = await succeed(appliance.operator.get('/rate-decks?limit=100'))
      return (data as { id: string; is_default: boolean }[]).flatMap((one) =>
        one.is_default ? [one.id] : [],
      )
    }
    expect(await defaults()).to.have.length(1)
    await Promise.all(
      made.map(async (id) => succeed(appliance.operator.patch(`/rate-decks/${id}`, { is_default: true }))),
    )
    const [last = ''] = await defaults()
    expect(await defaults()).to.deep.equal([last])
    await succeed(appliance.operator.patch(`/rate-decks/${last}`, { is_default: false }))
    for (const id of made) await succeed(appliance.operator.delete(`/rate-decks/${id}`))
  })

  it('price texts by segment, and block calls and texts to a prefix', async () => {
    const deck = await newDeck()
    const texting = await newTextingNumber(appliance, workspace)
    await newActiveNumber(appliance, workspace)
    await put(
      deck,
      'kind,prefix,price,is_blocked\nmessage,1,0.0331,\nmessage,1212,0,true\noutbound_call,1212,0,true\n',
    )
    await assign(deck)
    await eventually(
      async () => rateOf('+12025550111', 'message'),
      (rate) => rate !== null,
      { what: 'the deck' },
    )
    const before = (await succeed(workspace.api.get('/credit'))).balance as number
    const sent = await workspace.api.post('/messages/send', {
      ...{ from: texting.number, to: '+12025550111', body: 'x'.repeat(200) },
    })
    expect(sent.status, JSON.stringify(sent.body)).to.equal(201)
    expect((await succeed(workspace.api.get('/credit'))).balance).to.equal(
      Math.round((before - 0.0662) * 1e6) / 1e6,
    )
    const [row] = await query(appliance, 'SELECT rate_prefix, rate_deck_id, price FROM messages LIMIT 1')
    expect({ ...row }).to.deep.equal({ rate_prefix: '1', rate_deck_id: deck, price: '0.066200' })
    const text = await workspace.api.post('/messages/send', {
      ...{ from: texting.number, to: '+12125550111', body: 'x' },
    })
    expect(text.status).to.equal(403)
    const call = await workspace.api.post('/calls/make', { to: { number: '+12125550111' } })
    expect(call.status).to.equal(403)
    expect(call.body.message).to.equal('The workspace may not call +12125550111: its rates block this prefix')
    await assign(null)
  })

  it('take a hundred thousand prefixes, all the old ones or all the new ones at any moment', async function () {
    this.timeout(60_000)
    const deck = await newDeck(true)
    const first = 4_900_000
    const lines = (price: string) =>
      `prefix,price\n${Array.from({ length: 100_000 }, (_, index) => `${first + index},${price}`).join('\n')}\n`
    expect((await put(deck, lines('0.01'))).body.rates).to.equal(100_000)
    const rateAt = async (digits: string) => {
      const rate = await rateOf(digits)
      return rate?.price as number
    }
    await eventually(
      async () => rateAt('+493012345678'),
      (price) => price === 0.01,
      { what: 'the default deck' },
    )
    let over = false
    const seen = new Set<number>()
    const looking = (async () => {
      while (!over) for (const number of ['+4921112345678', '+498912345678']) seen.add(await rateAt(number))
    })()
    expect((await put(deck, lines('0.02'))).body.rates).to.equal(100_000)
    over = true
    await looking
    expect([...seen].filter((price) => price !== 0.01 && price !== 0.02)).to.deep.equal([])
    expect(await rateOf('+498912345678')).to.include({ prefix: '4989123', price: 0.02 })
    const whole = await exported(deck)
    expect(whole.split('\r\n')).to.have.length(100_002)
    // An import takes the place of all of them while they are read.
    const during: string[] = []
    const importing = put(deck, lines('0.03'))
    let isOver = false
    void importing.then(() => (isOver = true))
    while (!isOver) during.push(await exported(deck))
    for (const csv of during) {
      const prices = new Set([...csv.matchAll(/^[^,]+,\d+,[^,]*,([\d.]+)/gm)].map(([, price]) => price))
      expect([...prices]).to.have.length(1)
    }
    await appliance.operator.delete(`/rate-decks/${deck}`)
  })
})

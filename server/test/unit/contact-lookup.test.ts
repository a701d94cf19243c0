/** What a customer's server may answer when it is asked who calls, and what is made of it. */
import { expect } from 'chai'
import { pino } from 'pino'
import { CallbackClient } from '../../src/infrastructure/callbacks/callback-client.js'
import {
  ContactLookup,
  type LookupResult,
  maxContactBytes,
} from '../../src/features/callbacks/contact-lookup.js'
import { parseNetwork } from '../../src/lib/networks.js'
import { GuardedClient } from '../../src/infrastructure/http-client/guarded-client.js'
import { CustomerServer, answering, writing } from '../support/customer-server.js'

describe('a contact lookup', () => {
  let server: CustomerServer
  let guarded: GuardedClient
  let lookup: ContactLookup

  before(async () => {
    server = await CustomerServer.start()
    guarded = new GuardedClient({ allowed_networks: [parseNetwork('127.0.0.1/32')!], dns_servers: [] })
    const log = pino({ level: 'silent' })
    lookup = new ContactLookup({
      client: new CallbackClient({ client: guarded, secretOf: async () => 'secret', log }),
      contacts: { findByNumber: async () => Promise.reject(new Error('a URL was given')) },
    })
  })
  after(async () => {
    guarded?.close()
    await server?.stop()
  })

  const call = {
    ...{ workspace: { id: 'acme' }, call_id: 'call_1', call_flow_id: 'cf_1' },
    ...{ caller_number: '+12025550142', destination_number: '+12025550100' },
  }
  const find = async (behaviour: Parameters<CustomerServer['on']>[1]): Promise<LookupResult> =>
    lookup.find(call, { url: server.on('/lookup', behaviour) })

  async function nameIn(json: object): Promise<string | null> {
    const result = await find(answering(json))
    if (result.outcome !== 'found') throw new Error(result.outcome)
    return result.contact.name
  }

  it('asks with the fields of the contract', async () => {
    await find(answering({}))
    expect(server.at('/lookup').at(-1)?.body).to.deep.equal({
      event: 'call_flow.contact_lookup',
      call_id: 'call_1',
      caller_number: '+12025550142',
      destination_number: '+12025550100',
      workspace_id: 'acme',
      call_flow_id: 'cf_1',
    })
  })

  it('takes the name from the first field that has one', async () => {
    const fields = ['display_name', 'name', 'fullName', 'display_title', 'title']
    const empty = ['', '  ', null, 7, { first: 'Zoe' }, ['Zoe']]
    for (const [index, field] of fields.entries()) {
      const later = Object.fromEntries(fields.slice(index).map((name) => [name, `by ${name}`]))
      expect(await nameIn({ other: 'x', ...later })).to.equal(`by ${field}`)
      for (const nothing of empty) {
        const earlier = Object.fromEntries(fields.slice(0, index).map((name) => [name, nothing]))
        expect(await nameIn({ ...later, ...earlier }), JSON.stringify(nothing)).to.equal(`by ${field}`)
      }
    }
    for (const json of [{ Name: 'Zoe' }, { name: '' }, { constructor: 'Zoe' }, { name: '<>' }]) {
      expect(await nameIn(json), JSON.stringify(json)).to.equal(null)
    }
  })

  it('makes a name fit for a SIP header', async () => {
    const names = {
      'Zoë Ångström 😀': 'Zoë Ångström 😀',
      '  Zoe  ': 'Zoe',
      'Zoe "The Boss" <sip:zoe@evil.example>': 'Zoe ”The Boss”  sip:zoe@evil.example',
      'Zoe\r\nX-Evil: 1': 'Zoe  X-Evil: 1',
      '${system(reboot)}': 'system(reboot)',
      ['x'.repeat(200)]: 'x'.repeat(64),
      ['😀'.repeat(100)]: '😀'.repeat(64),
    }
    for (const [name, shown] of Object.entries(names)) expect(await nameIn({ name })).to.equal(shown)
  })

  it('keeps the answer as it was written, on one line', async () => {
    const written = '{\r\n  "name" : "Zoe\\n",\n\n "id": 12345678901234567890,\t"x": "ü" }\n'
    const result = await find(writing(written))
    expect(result).to.deep.include({ outcome: 'found' })
    expect(result.outcome === 'found' && result.contact.data).to.equal(
      '{   "name" : "Zoe\\n",  "id": 12345678901234567890,\t"x": "ü" }',
    )
  })

  it('finds nobody where the answer is 404 or empty', async () => {
    for (const behaviour of [answering({ error: 'nobody' }, 404), answering({}), writing(' { } ')]) {
      const result = await find(behaviour)
      expect(result.outcome).to.equal('not_found')
      expect(result.exchange?.url).to.equal(server.url('/lookup'))
    }
  })

  it('fails where the answer is of no use', async () => {
    const tooLong = answering({ name: 'x'.repeat(maxContactBytes) })
    const errors = {
      status: answering({ name: 'Zoe' }, 500),
      not_json: writing('Zoe'),
      not_object: answering(['Zoe']),
      too_long: tooLong,
    }
    for (const [error, behaviour] of Object.entries(errors)) {
      const result = await find(behaviour)
      expect(result.outcome === 'error' && result.failure.error).to.equal(error)
    }
    const fits = answering({ name: 'x'.repeat(maxContactBytes - 11) })
    expect((await find(fits)).outcome).to.equal('found')
  })
})

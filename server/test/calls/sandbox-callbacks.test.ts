/** Callbacks on the sandbox, with which integrators try their servers: as on FreeSWITCH. */
import { expect } from 'chai'
import { callIn } from '../support/caller-in.js'
import { CustomerServer, answering } from '../support/customer-server.js'
import { InboundBench } from '../support/inbound-bench.js'

describe('callbacks of flows on the sandbox', function () {
  this.timeout(60_000)
  let bench: InboundBench
  let server: CustomerServer

  before(async () => {
    server = await CustomerServer.start('127.0.0.2')
    const settings = { JACKFIELD_HTTP_CLIENT_ALLOWED_NETWORKS: '127.0.0.2/32' }
    bench = await InboundBench.start({ settings }, 'sandbox')
  })
  after(async () => {
    await bench?.stop()
    await server?.stop()
  })

  it('say who calls, what to do, and hear what was pressed', async () => {
    const contact = '{"name": "Zoe \\"Z\\" O\'Neill", "tier": "gold"}'
    const who = server.on('/who', (_, response) => response.end(contact))
    const keys = server.on('/keys', answering({}))
    const down = server.on('/down', answering({}, 500))
    const ivr = { action: 'ivr', params: { max_digits: 2, webhook_url: keys } }
    const say = { action: 'tts', params: { text: 'Your number, please.' } }
    const what = server.on('/what', answering({ actions: [say, ivr] }))
    const conditions = [{ subject: 'contact.tier', operator: 'equals', value: 'gold' }]
    await bench.runs([
      { id: 'down', type: 'contact_lookup', params: { url: down }, next: { error: 'who' } },
      { id: 'who', type: 'contact_lookup', params: { url: who }, next: { found: 'gold' } },
      { id: 'gold', type: 'condition', params: { conditions }, next: { true: 'what' } },
      { id: 'what', type: 'json_call_action', params: { url: what }, next: { completed: 'bye' } },
      { id: 'bye', type: 'hangup', params: { cause: 'USER_BUSY' } },
    ])
    await callIn(bench, { keys: '42' })
    const call = await bench.lastCall()
    expect(call).to.include({ status: 'completed', hangup_cause: 'USER_BUSY' })
    const path = await bench.path(call.call_id)
    expect(path).to.deep.equal(['down:error', 'who:found', 'gold:true', 'what:completed', 'bye:completed'])
    expect(server.at('/what')[0]!.body.contact_data).to.equal(contact)
    const pressed = { workspace_id: bench.bench.workspace.id, call_id: call.call_id, digits: '42' }
    expect(server.at('/keys')[0]!.body.data).to.deep.equal({ ...pressed, status: 'completed' })
  })
})

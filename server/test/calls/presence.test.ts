/** States of agents with softphones, as their colleagues are told of them: over a real Kamailio and FreeSWITCH. */
import { expect } from 'chai'
import { query } from '../api/database.js'
import { newPerson, succeed } from '../api/fixtures.js'
import { eventually } from '../support/api-client.js'
import { EventReader } from '../support/event-reader.js'
import { findFreeswitch } from '../support/freeswitch.js'
import { type Account, PhoneBench } from '../support/phone-bench.js'

describe('presence of agents with softphones on the freeswitch', function () {
  this.timeout(90_000)
  let phones: PhoneBench
  let watching: EventReader
  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    phones = await PhoneBench.start()
    watching = await EventReader.open((await newPerson(phones.bench.workspace, 'supervisor')).api)
  })
  afterEach(async () => phones?.closePhones())
  after(async () => {
    watching?.close()
    await phones?.stop()
  })

  /** The states that were told of an agent, once there are so many. */
  async function told({ id }: Account, count: number): Promise<{ state: string; call_id: string | null }[]> {
    const all = async () =>
      watching.events
        .filter(({ event, data }) => event === 'workspace.agent.state' && data.agent_id === id)
        .map(({ data }) => data as { state: string; call_id: string | null })
    return eventually(all, (list) => list.length >= count, { what: `${count} states`, withinMs: 20_000 })
  }
  const states = async (account: Account, count: number) =>
    (await told(account, count)).map(({ state }) => state)

  it('is available with a registered phone, in a call, busy while it rings, and offline without the phone', async () => {
    const [ann, ben] = [await phones.agent('ann'), await phones.agent('ben')]
    const annsPhone = await phones.phone(ann)
    const bensPhone = await phones.phone(ben, { ringMs: 300 })
    expect(await states(ann, 1)).to.deep.equal(['available'])
    expect(await states(ben, 1)).to.deep.equal(['available'])
    const call = annsPhone.call('ben')
    expect(await states(ann, 2)).to.deep.equal(['available', 'incall'])
    expect(await states(ben, 3)).to.deep.equal(['available', 'busy', 'incall'])
    const [, , talking] = await told(ben, 3)
    expect(talking!.call_id)
      .to.equal((await told(ann, 2))[1]!.call_id)
      .and.match(/^call_/)
    await call.hangUp()
    expect(await states(ann, 3)).to.deep.equal(['available', 'incall', 'available'])
    expect(await states(ben, 4)).to.deep.equal(['available', 'busy', 'incall', 'available'])
    await bensPhone.register(0)
    expect((await states(ben, 5)).at(-1)).to.equal('offline')
  })

  it('is offline when the phone went while the edge was away', async () => {
    const dora = await phones.agent('dora')
    await phones.phone(dora)
    await told(dora, 1)
    const { appliance } = phones.bench
    await appliance.kamailio!.restart(async () => {
      await query(appliance, 'DELETE FROM location WHERE username = ?', ['dora'])
    })
    expect(await states(dora, 2)).to.deep.equal(['available', 'offline'])
  })

  it('is offline as soon as the agent is made inactive', async () => {
    const cleo = await phones.agent('cleo')
    await phones.phone(cleo)
    await told(cleo, 1)
    await succeed(phones.api.patch(`/agents/${cleo.id}`, { is_active: false }))
    expect(await states(cleo, 2)).to.deep.equal(['available', 'offline'])
  })
})

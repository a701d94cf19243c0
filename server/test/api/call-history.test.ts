/** A workspace's call history: what it is filtered and sorted by, its download as CSV, and that it is read from an index. */
import { expect } from 'chai'
import { newId } from '../../src/infrastructure/database/ids.js'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { insertCall, insertOffer } from './call-center-fixtures.js'
import { query } from './database.js'
import {
  fieldsOf,
  newGateway,
  newSipAccount,
  newTeam,
  newVoiceAgent,
  personOf,
  startUnlimited,
  succeed,
} from './fixtures.js'

interface CallRow {
  direction?: 'inbound' | 'outbound'
  status?: string
  from_number?: string
  from_name?: string
  to_number?: string
  live?: 1 | null
  created_at: string
  duration?: number
  cost?: number
  to_name?: string
  outcome?: string
  abandoned_in?: string
  ended_by?: string
  team_id?: string
  wait_seconds?: number
}

describe('call history', () => {
  let appliance: Appliance
  before(async () => {
    appliance = await startUnlimited()
  })
  after(async () => appliance?.stop())

  async function insert(workspace: { id: string }, row: CallRow): Promise<string> {
    const id = newId('call')
    const call = {
      ...{ id, workspace_id: workspace.id, direction: 'inbound', status: 'completed', live: null },
      ...{ from_number: '+12025550142', from_name: 'Zoe', to_number: '+12025550100', to_name: 'Main' },
      ...{ max_duration: 7200, script: '[]', duration: 0, cost: 0 },
      ...row,
    }
    const names = Object.keys(call)
    await query(
      appliance,
      `INSERT INTO calls (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
      Object.values(call),
    )
    return id
  }

  describe('is filtered', () => {
    let workspace: TestWorkspace
    let ids: { answered: string; missed: string; live: string; ringing: string }
    before(async () => {
      workspace = await appliance.workspace()
      await insert(await appliance.workspace(), { created_at: '2026-02-02 10:00:00' })
      ids = {
        answered: await insert(workspace, {
          ...{ created_at: '2026-02-01 00:00:00.000', duration: 60, cost: 0.02 },
        }),
        missed: await insert(workspace, {
          ...{ created_at: '2026-02-02 10:00:00.000', status: 'no_answer', direction: 'outbound' },
          to_number: '+4930123456',
        }),
        live: await insert(workspace, { created_at: '2026-02-02 11:00:00.000', status: 'active', live: 1 }),
        ringing: await insert(workspace, {
          ...{ created_at: '2026-02-03 00:00:00.000', status: 'ringing', live: 1, direction: 'outbound' },
          cost: 0.01,
        }),
      }
    })

    async function found(parameters: string): Promise<string[]> {
      const list = await succeed(workspace.api.get(`/calls?${parameters}`))
      expect(list.meta.total, parameters).to.equal(list.data.length)
      return list.data.map((call: { call_id: string }) => call.call_id)
    }

    it('by status, and by whether calls live', async () => {
      expect(await found('status=no_answer')).to.deep.equal([ids.missed])
      expect(await found('status=ringing')).to.deep.equal([ids.ringing])
      expect(await found('status=live')).to.deep.equal([ids.ringing, ids.live])
      expect(await found('status=busy')).to.deep.equal([])
      expect(fieldsOf(await workspace.api.get('/calls?status=over'))).to.deep.equal(['status'])
    })

    it('by direction and by number, together with the rest', async () => {
      expect(await found('direction=outbound')).to.deep.equal([ids.ringing, ids.missed])
      expect(await found('direction=outbound&status=live')).to.deep.equal([ids.ringing])
      expect(await found('direction=outbound&search=4930')).to.deep.equal([ids.missed])
      expect(await found('direction=inbound&search=4930')).to.deep.equal([])
    })

    it('by time, both ends among it', async () => {
      expect(await found('from=2026-02-02T10:00:00Z&to_date=2026-02-02T11:00:00Z')).to.deep.equal([
        ids.live,
        ids.missed,
      ])
      expect(await found('from=2026-02-03T01:00:00%2B01:00')).to.deep.equal([ids.ringing])
      expect(await found('to_date=2026-02-01T23:59:59Z&status=completed')).to.deep.equal([ids.answered])
      for (const name of ['from', 'to_date']) {
        for (const wrong of ['yesterday', '2026-02-02', '2016-12-31T23:59:60Z']) {
          expect(fieldsOf(await workspace.api.get(`/calls?${name}=${wrong}`)), wrong).to.deep.equal([name])
        }
      }
    })

    it('and sorted by time, duration and cost', async () => {
      expect(await found('sort_order=asc')).to.deep.equal([ids.answered, ids.missed, ids.live, ids.ringing])
      expect((await found('sort_field=duration'))[0]).to.equal(ids.answered)
      expect((await found('sort_field=cost')).slice(0, 2)).to.deep.equal([ids.answered, ids.ringing])
      expect(await found('sort_field=cost&sort_order=asc&status=live')).to.deep.equal([ids.live, ids.ringing])
      expect(fieldsOf(await workspace.api.get('/calls?sort_field=from_number'))).to.deep.equal(['sort_field'])
    })
  })

  it('names who had a call, and finds the calls of an agent', async () => {
    const workspace = await appliance.workspace()
    const [ann, ben] = [await personOf(workspace, 'member'), await personOf(workspace, 'leader')]
    const rung = await insertCall(appliance, workspace, [{ agent_id: ann.id, answered: false }])
    const sue = await personOf(workspace, 'supervisor')
    const answered = await insertCall(appliance, workspace, [
      { agent_id: ann.id, answered: false },
      { agent_id: ben.id },
      // Who hears a call has not had it.
      { agent_id: sue.id, role: 'supervisor' },
    ])
    const callsOf = async (id: string) =>
      (await succeed(workspace.api.get(`/calls?agent_id=${id}`))).data as {
        call_id: string
        agent: unknown
      }[]
    const { id, username, display_name } = await succeed(workspace.api.get(`/agents/${ben.id}`))
    expect((await callsOf(ann.id)).map(({ call_id }) => call_id)).to.deep.equal([answered, rung])
    expect((await callsOf(ben.id)).map(({ agent }) => agent)).to.deep.equal([{ id, username, display_name }])
    expect((await callsOf(ann.id))[1]?.agent).to.equal(null)
    expect((await succeed(workspace.api.get(`/calls/${answered}`))).agent.id).to.equal(ben.id)
    const other = await appliance.workspace()
    expect((await succeed(other.api.get(`/calls?agent_id=${ben.id}`))).data).to.deep.equal([])
  })

  it('names the parties of a call’s legs', async () => {
    const workspace = await appliance.workspace()
    const ann = await personOf(workspace, 'member')
    const call = await insertCall(appliance, workspace, [
      ...[{ agent_id: ann.id }, { agent_id: null }, { agent_id: null }, { agent_id: null }],
      { agent_id: null },
    ])
    const { legs } = await succeed(workspace.api.get(`/calls/${call}`))
    const parties = {
      sip_account_id: await newSipAccount(workspace.api),
      voice_agent_id: await newVoiceAgent(workspace.api),
      gateway_id: await newGateway(workspace.api),
    }
    for (const [position, [column, id]] of Object.entries(parties).entries()) {
      await query(appliance, `UPDATE call_legs SET ${column} = ? WHERE id = ?`, [id, legs[position + 1].id])
    }
    const names = async () =>
      (await succeed(workspace.api.get(`/calls/${call}`))).legs.map((leg: { name: unknown }) => leg.name)
    const named = async (path: string, field: string) => (await succeed(workspace.api.get(path)))[field]
    expect(await names()).to.deep.equal([
      await named(`/agents/${ann.id}`, 'display_name'),
      await named(`/sip-accounts/${parties.sip_account_id}`, 'title'),
      await named(`/voice-agents/${parties.voice_agent_id}`, 'name'),
      await named(`/sip-trunks/gateways/${parties.gateway_id}`, 'title'),
      null,
    ])
    await succeed(workspace.api.delete(`/sip-accounts/${parties.sip_account_id}`))
    expect((await names())[1]).to.equal(null)
  })

  it('has the agents whom a call rang, also those without a leg', async () => {
    const workspace = await appliance.workspace()
    const ann = await personOf(workspace, 'member')
    const call = await insertCall(appliance, workspace, [])
    await insertOffer(appliance, workspace, { call_id: call, agent_id: ann.id })
    const offers = async () => (await succeed(workspace.api.get(`/calls/${call}`))).offers
    const [offer, ...others] = await offers()
    expect(others).to.deep.equal([])
    const { id, username, display_name } = await succeed(workspace.api.get(`/agents/${ann.id}`))
    expect(offer).to.deep.include({
      agent: { id, username, display_name },
      team: null,
      result: 'caller_left',
    })
    expect(Date.parse(offer.ended_at) - Date.parse(offer.began_at)).to.equal(4_000)
    await succeed(workspace.api.delete(`/agents/${ann.id}`))
    expect((await offers())[0]).to.include({ agent: null, result: 'caller_left' })
  })

  it('is filtered by what calls came to, and found by names', async () => {
    const workspace = await appliance.workspace()
    const team = await newTeam(workspace.api)
    const at = { created_at: '2026-02-02 10:00:00' }
    const abandoned = await insert(workspace, {
      ...{ ...at, outcome: 'abandoned', abandoned_in: 'queue', ended_by: 'caller', team_id: team },
      ...{ wait_seconds: 40, from_number: '+12025550143', from_name: '+12025550143' },
    })
    const answered = await insert(workspace, { ...at, outcome: 'answered', from_name: 'Zoe' })
    const message = await insert(workspace, { ...at, outcome: 'voicemail', to_name: 'Line of Zoe' })
    const found = async (query: string) =>
      ((await succeed(workspace.api.get(`/calls?${query}`))).data as { call_id: string }[])
        .map(({ call_id }) => call_id)
        .sort()
    expect(await found('outcome=answered')).to.deep.equal([answered])
    expect(await found('outcome=unanswered')).to.deep.equal([abandoned, message].sort())
    expect(await found(`team_id=${team}`)).to.deep.equal([abandoned])
    expect(await found('search=zoe')).to.deep.equal([answered, message].sort())
    expect((await found('sort_field=wait_seconds&sort_order=desc&limit=1'))[0]).to.equal(abandoned)
    expect(fieldsOf(await workspace.api.get('/calls?outcome=lost'))).to.deep.equal(['outcome'])
    expect(await found('search=maria')).to.deep.equal([])
    const contact = { name: 'María Miller', numbers: ['+12025550143'] }
    await succeed(workspace.api.post('/contacts', contact))
    expect(await found('search=maria'), 'by the name of a contact').to.deep.equal([abandoned])
    const shown = await succeed(workspace.api.get(`/calls/${abandoned}`))
    expect(shown.contact.name).to.equal('María Miller')
    expect(shown.team.id).to.equal(team)
    expect(shown).to.include({ outcome: 'abandoned', abandoned_in: 'queue', ended_by: 'caller' })
    const { body } = await workspace.api.get('/calls/export.csv?outcome=abandoned')
    expect((body as Buffer).toString()).to.include(',abandoned,queue,caller,,,María Miller,')
  })

  describe('of thousands of calls', () => {
    const many = 2_500
    let workspace: TestWorkspace
    before(async () => {
      workspace = await appliance.workspace()
      // Many of one moment: the batches of a download begin in the midst of it.
      await query(
        appliance,
        `INSERT INTO calls (id, workspace_id, direction, status, from_number, from_name, to_number, to_name,
           max_duration, script, live, created_at)
         SELECT CONCAT(?, LPAD(seq, 6, '0')), ?, IF(seq % 2, 'inbound', 'outbound'),
           IF(seq % 10, 'completed', 'busy'), '+12025550142', 'Zoe', CONCAT('+1202555', LPAD(seq, 4, '0')), '',
           7200, '[]', NULL, '2026-03-01' + INTERVAL FLOOR(seq / 700) DAY FROM seq_1_to_${many}`,
        [`call_${newId('call').slice(5, 25)}`, workspace.id],
      )
    })

    const download = async (parameters = '') => {
      const answer = await workspace.api.get(`/calls/export.csv?${parameters}`)
      expect(answer.status).to.equal(200)
      const [heading = '', ...lines] = (answer.body as Buffer).toString().split('\r\n').slice(0, -1)
      return { answer, heading, lines }
    }

    it('is downloaded whole, each call once, newest first', async () => {
      const { answer, heading, lines } = await download()
      expect(answer.headers['content-type']).to.equal('text/csv; charset=utf-8; header=present')
      expect(answer.headers['content-disposition']).to.equal(
        `attachment; filename="calls-${workspace.id}.csv"`,
      )
      expect(heading).to.equal(
        'call_id,created_at,answered_at,ended_at,direction,from,from_name,to,to_name,agent,status,duration,cost,hangup_cause,sip_code,outcome,abandoned_in,ended_by,answered_by,missed_by,contact,team,queue,phone_number,call_flow,wait_seconds,ring_seconds,talk_seconds,hold_seconds',
      )
      expect(lines).to.have.length(many)
      const ids = lines.map((line) => line.split(',')[0] ?? '')
      expect(ids).to.deep.equal([...new Set(ids)].sort().reverse())
      expect(lines.at(-1)).to.match(
        /,2026-03-01T00:00:00.000Z,,,inbound,\+12025550142,Zoe,\+12025550001,,,completed,0,0,,{15}$/,
      )
    })

    it('is downloaded as it is filtered', async () => {
      const { lines } = await download('status=busy&from=2026-03-02T00:00:00Z&direction=outbound')
      expect(lines).to.have.length(many / 10 - 69)
      expect((await download('search=5550007')).lines).to.have.length(1)
      expect((await download('search=%2B1%20(202)%20555-0007')).lines).to.have.length(1)
      expect((await download(`search=${encodeURIComponent('ZÖE')}`)).lines).to.have.length(many)
      expect((await download('status=live')).lines).to.deep.equal([])
      expect(fieldsOf(await workspace.api.get('/calls/export.csv?from=now'))).to.deep.equal(['from'])
    })

    it('holds nothing that a spreadsheet would run', async () => {
      const own = await appliance.workspace()
      const name = '=HYPERLINK("http://x.example","y")'
      await insert(own, { created_at: '2026-02-01 00:00:00', from_number: '-2+3', from_name: name })
      const { body } = await own.api.get('/calls/export.csv')
      expect((body as Buffer).toString()).to.include(
        `,'-2+3,"'=HYPERLINK(""http://x.example"",""y"")",+12025550100,Main,`,
      )
    })

    it('is read page by page, the last pages as the first ones', async () => {
      const ids = (await download()).lines.map((line) => line.split(',')[0])
      const pageOf = async (page: number) => {
        const { data, meta } = await succeed(workspace.api.get(`/calls?limit=60&page=${page}`))
        expect(meta.total).to.equal(many)
        return data.map(({ call_id }: { call_id: string }) => call_id) as string[]
      }
      for (const page of [1, 2, 18, 20, 22, 41, 42, 43]) {
        const expected = ids.slice((page - 1) * 60, page * 60)
        expect(await pageOf(page), `page ${page}`).to.deep.equal(expected)
      }
    })

    it('is read from an index, however it is filtered', async () => {
      const conditions = ['1', "status = 'busy'", "direction = 'inbound'", "from_number LIKE '%1%'"]
      await query(appliance, 'ANALYZE TABLE calls')
      for (const condition of conditions) {
        for (const order of ['created_at', 'duration', 'cost']) {
          const plan = await query(
            appliance,
            `EXPLAIN SELECT id FROM calls WHERE workspace_id = ? AND ${condition} ORDER BY ${order} DESC, id DESC LIMIT 20`,
            [workspace.id],
          )
          expect(plan[0].key, `${condition} by ${order}`).to.be.oneOf(['calls_history', 'calls_search'])
          expect(plan[0].Extra, `${condition} by ${order}`).to.include('Using index')
          if (order === 'created_at') expect(plan[0].Extra).not.to.include('filesort')
        }
      }
    })
  })
})

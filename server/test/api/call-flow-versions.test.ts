/** Versions of call flows, and nodes that are checked before they are kept. */
import { expect } from 'chai'
import { FlowVersions } from '../../src/features/call-flows/flow-versions.js'
import { Database } from '../../src/infrastructure/database/database.js'
import { entities } from '../../src/app/entities.js'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { insertCall } from './call-center-fixtures.js'
import { type Node, start } from './call-flow-input.js'
import { nothingKept } from '../support/nothing-kept.js'
import { query } from './database.js'
import { callFlow, fieldsOf, newAudio, newCallFlow, startUnlimited, succeed } from './fixtures.js'

/** A flow whose nodes are those of no other index. */
const nodesOf = (index: number): Node[] => [
  start,
  { id: 'it', type: 'set_variable', params: { name: 'round', value: String(index) }, next: {} },
]

describe('versions of call flows', () => {
  let appliance: Appliance
  let workspace: TestWorkspace
  let api: TestWorkspace['api']
  before(async () => {
    appliance = await startUnlimited()
  })
  beforeEach(async () => {
    workspace = await appliance.workspace()
    api = workspace.api
  })
  after(async () => appliance?.stop())

  const versionsOf = async (id: string, list = ''): Promise<any[]> =>
    (await succeed(api.get(`/call-flows/${id}/versions${list}`))).data

  it('are made by each change of the nodes, and by nothing else', async () => {
    const { id } = await succeed(api.post('/call-flows', callFlow))
    await succeed(api.patch(`/call-flows/${id}`, { title: 'Other' }))
    await succeed(api.patch(`/call-flows/${id}`, { nodes: callFlow.nodes }))
    expect(await versionsOf(id)).to.have.length(1)
    await succeed(api.patch(`/call-flows/${id}`, { nodes: nodesOf(1).slice(0, 2) }))
    const [second, first] = await versionsOf(id)
    expect(second).to.include({ call_flow_id: id, version: 2, node_count: 2 })
    expect(first).to.include({ call_flow_id: id, version: 1, node_count: callFlow.nodes.length })
    const [{ title: name }] = (await succeed(api.get('/api-keys'))).data
    expect(second.created_by).to.deep.equal({ kind: 'api_key', id: workspace.sid, name })
    expect(Date.parse(second.created_at)).to.be.above(Date.parse(first.created_at))
    const { created_by, nodes } = await succeed(api.get(`/call-flows/${id}/versions/1`))
    expect(nodes).to.deep.equal(callFlow.nodes)
    expect(created_by).to.deep.equal(second.created_by)
    expect(await versionsOf(id, '?limit=1&page=2')).to.deep.equal([first])
  })

  it('are not replaced by nodes that were made from an older one', async () => {
    const { id, version } = await succeed(api.post('/call-flows', callFlow))
    expect(version).to.equal(1)
    const theirs = await succeed(api.patch(`/call-flows/${id}`, { nodes: nodesOf(1), base_version: 1 }))
    expect(theirs.version).to.equal(2)
    // Its title makes no version, and is no reason to refuse one.
    const named = await succeed(api.patch(`/call-flows/${id}`, { title: 'Other', base_version: 1 }))
    expect(named).to.include({ title: 'Other', version: 2 })
    const refused = await api.patch(`/call-flows/${id}`, { nodes: nodesOf(2), base_version: 1 })
    expect(refused.status).to.equal(409)
    expect(refused.body.message).to.equal('The call flow Other is at version 2 by now, not 1')
    expect(await succeed(api.get(`/call-flows/${id}`))).to.deep.include({ version: 2, nodes: theirs.nodes })
    const ours = await succeed(api.patch(`/call-flows/${id}`, { nodes: nodesOf(2), base_version: 2 }))
    expect(ours.version).to.equal(3)
  })

  it('are replaced by one of two that were made from the same at the same moment', async () => {
    const id = await newCallFlow(api)
    const changes = Array.from({ length: 4 }, async (_, index) =>
      api.patch(`/call-flows/${id}`, { nodes: nodesOf(index), base_version: 1 }),
    )
    const statuses = (await Promise.all(changes)).map(({ status }) => status)
    expect(statuses.sort()).to.deep.equal([200, 409, 409, 409])
  })

  it('can be had again', async () => {
    const { id } = await succeed(api.post('/call-flows', { ...callFlow, nodes: nodesOf(0) }))
    await succeed(api.patch(`/call-flows/${id}`, { nodes: nodesOf(1) }))
    const { nodes } = await succeed(api.get(`/call-flows/${id}/versions/1`))
    await succeed(api.patch(`/call-flows/${id}`, { nodes }))
    expect((await versionsOf(id)).map(({ version }) => version)).to.deep.equal([3, 2, 1])
    expect((await succeed(api.get(`/call-flows/${id}`))).nodes).to.deep.equal(nodes)
  })

  it('are those of one flow in one workspace', async () => {
    const id = await newCallFlow(api)
    const other = await appliance.workspace()
    expect((await other.api.get(`/call-flows/${id}/versions`)).status).to.equal(404)
    expect((await other.api.get(`/call-flows/${id}/versions/1`)).status).to.equal(404)
    const missing = await api.get(`/call-flows/${id}/versions/2`)
    expect(missing.status).to.equal(404)
    expect(missing.body.message).to.equal(`Call flow ${id} has no version 2`)
    expect((await api.get(`/call-flows/${id}/versions/0`)).status).to.equal(400)
  })

  it('are numbered once each when two change a flow at the same moment', async () => {
    const id = await newCallFlow(api)
    const changes = Array.from({ length: 8 }, async (_, index) =>
      succeed(api.patch(`/call-flows/${id}`, { nodes: nodesOf(index) })),
    )
    await Promise.all(changes)
    expect((await versionsOf(id)).map(({ version }) => version)).to.deep.equal([9, 8, 7, 6, 5, 4, 3, 2, 1])
  })

  describe('when they are old', () => {
    let database: Database
    before(async () => {
      const { host, port, user, password } = appliance.mariadb
      const name = appliance.databaseName
      database = new Database({ host, port, socket: '', user, password, name, pool: 1 }, entities)
      await database.connect()
    })
    after(async () => database?.close())

    /** Sweeps as a server does that has run for two hours since. */
    const sweep = async (flowId: string) => {
      const age =
        'UPDATE call_flow_versions SET created_at = created_at - INTERVAL 2 HOUR WHERE call_flow_id = ?'
      await query(appliance, age, [flowId])
      await new FlowVersions(database, nothingKept).sweep()
    }

    it('are kept but for those before the last fifty, and those that a call runs', async () => {
      const id = await newCallFlow(api)
      for (let index = 0; index < 53; index++) {
        await succeed(api.patch(`/call-flows/${id}`, { nodes: nodesOf(index) }))
      }
      await new FlowVersions(database, nothingKept).sweep()
      expect(await versionsOf(id, '?limit=100')).to.have.length(54)
      const [run] = await query(
        appliance,
        'SELECT id FROM call_flow_versions WHERE call_flow_id = ? AND version = 2',
        [id],
      )
      const callId = await liveCall(run.id)
      await sweep(id)
      const kept = (await versionsOf(id, '?limit=100')).map(({ version }) => version as number)
      expect(kept).to.deep.equal([...Array.from({ length: 50 }, (_, index) => 54 - index), 2])
      await query(appliance, 'DELETE FROM calls WHERE id = ?', [callId])
      await sweep(id)
      expect(await versionsOf(id, '?limit=100')).to.have.length(50)
    })

    it('go with their flow', async () => {
      const id = await newCallFlow(api)
      await succeed(api.delete(`/call-flows/${id}`))
      await sweep(id)
      const left = await query(appliance, 'SELECT id FROM call_flow_versions WHERE call_flow_id = ?', [id])
      expect(left).to.deep.equal([])
    })

    async function liveCall(versionId: string): Promise<string> {
      const callId = await insertCall(appliance, workspace, [])
      await query(appliance, 'UPDATE calls SET live = 1, call_flow_version_id = ? WHERE id = ?', [
        ...[versionId, callId],
      ])
      return callId
    }
  })

  describe('nodes that nothing keeps', () => {
    const check = async (nodes: unknown) => api.post('/call-flows/check', { nodes })

    it('are told all that is wrong with them', async () => {
      const nodes = [
        { ...start, next: { default: 'nowhere' } },
        { id: 'alone', type: 'play', params: { audio_id: 'au_none' } },
        { id: 'it', type: 'condition' },
      ]
      const { valid, problems } = await succeed(check(nodes))
      const refused = await api.post('/call-flows', { ...callFlow, nodes })
      expect(fieldsOf(refused)).to.have.length(5)
      expect({ valid, problems }).to.deep.equal({ valid: false, problems: refused.body.errors })
      const deep = [{ id: 'it', type: 'connect_team', params: { queue: 'x', team_id: 7 } }]
      expect((await succeed(check(deep))).names).to.deep.equal({})
    })

    it('may be right, and make no flow', async () => {
      const audio_id = await newAudio(api)
      const nodes = [start, { id: 'it', type: 'play', params: { audio_id } }]
      const { title } = await succeed(api.get(`/audios/${audio_id}`))
      const names = { it: { audio_id: title } }
      expect(await succeed(check(nodes))).to.deep.equal({ valid: true, problems: [], names })
      expect((await api.get('/call-flows')).body.meta.total).to.equal(0)
    })

    it('are refused when they are no nodes at all', async () => {
      expect(fieldsOf(await check([]))).to.deep.equal(['nodes'])
      expect(fieldsOf(await check([{ id: 'no id', type: 'play' }]))).to.deep.equal(['nodes.0.id'])
    })
  })

  describe('as drafts', () => {
    const begun = { ...start, params: {} }
    const broken = [begun, { id: 'it', type: 'menu', params: { text: '' }, next: {} }]

    it('are kept however broken they are, and change nothing for callers until they are published', async () => {
      const id = await newCallFlow(api)
      const path = `/call-flows/${id}`
      const before = (await api.get(path)).body
      expect(before.has_draft).to.equal(false)
      expect((await api.get(`${path}/draft`)).status).to.equal(404)

      const kept = (await api.put(`${path}/draft`, { nodes: broken, revision: 0 })).body
      expect(kept).to.deep.include({ call_flow_id: id, base_version: 1, nodes: broken })
      expect((await api.get(path)).body).to.deep.include({ nodes: before.nodes, version: 1, has_draft: true })
      expect((await api.get('/call-flows')).body.data[0]).to.include({ id, has_draft: true })
      const refused = await api.post(`${path}/publish`, {})
      expect(fieldsOf(refused)).to.include('nodes.1.params.text')
      expect((await api.get(path)).body.version).to.equal(1)

      // Another browser has saved it: who knows less is told so.
      const mended = (await api.put(`${path}/draft`, { nodes: nodesOf(1), revision: kept.revision })).body
      expect(mended.revision).to.not.equal(kept.revision)
      for (const revision of [kept.revision, 0]) {
        expect((await api.put(`${path}/draft`, { nodes: broken, revision })).status).to.equal(409)
        if (revision) expect((await api.post(`${path}/publish`, { revision })).status).to.equal(409)
      }
      const live = (await api.post(`${path}/publish`, { revision: mended.revision })).body
      expect(live).to.deep.include({ nodes: [begun, ...nodesOf(1).slice(1)], version: 2, has_draft: false })
      expect((await api.get(`${path}/draft`)).status).to.equal(404)
      expect((await api.put(`${path}/draft`, { nodes: broken, revision: mended.revision })).status).to.equal(
        409,
      )
    })

    it('are not published over a newer version by mistake, and can be discarded', async () => {
      const id = await newCallFlow(api)
      const path = `/call-flows/${id}`
      await succeed(api.put(`${path}/draft`, { nodes: nodesOf(1) }))
      await succeed(api.patch(path, { nodes: nodesOf(2) }))
      expect((await api.post(`${path}/publish`, {})).status).to.equal(409)
      const live = (await api.post(`${path}/publish`, { overwrite: true })).body
      expect(live).to.deep.include({ nodes: [begun, ...nodesOf(1).slice(1)], version: 3 })

      await succeed(api.put(`${path}/draft`, { nodes: broken }))
      const other = await appliance.workspace()
      expect((await other.api.get(`${path}/draft`)).status).to.equal(404)
      expect((await other.api.delete(`${path}/draft`)).status).to.equal(404)
      await succeed(api.delete(`${path}/draft`))
      expect((await api.post(`${path}/publish`, {})).status).to.equal(404)
      expect((await api.get(path)).body).to.deep.include({ version: 3, has_draft: false })
    })
  })
})

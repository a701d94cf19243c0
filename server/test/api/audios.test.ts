import { expect } from 'chai'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { query } from './database.js'
import { audio, callFlow, fieldsOf, newAudio, startUnlimited, succeed } from './fixtures.js'

describe('audios', () => {
  let appliance: Appliance
  let workspace: TestWorkspace
  let api: TestWorkspace['api']
  before(async () => {
    appliance = await startUnlimited({ JACKFIELD_LIMITS_AUDIOS: '4' })
  })
  beforeEach(async () => {
    workspace = await appliance.workspace()
    api = workspace.api
  })
  after(async () => appliance?.stop())

  const create = async (changes: object) => api.post('/audios', { ...audio, ...changes })

  it('end at the limit of the workspace, also when requests race', async () => {
    const answers = await Promise.all(Array.from({ length: 7 }, async () => create({})))
    expect(answers.filter(({ status }) => status === 201)).to.have.length(4)
    expect(answers.filter(({ status }) => status === 403)).to.have.length(3)
    expect((await create({})).body.message).to.equal('The workspace holds 4 audios already')
    expect((await succeed(api.get('/audios'))).meta.total).to.equal(4)
    const { id } = (await succeed(api.get('/audios'))).data[0]
    await succeed(api.delete(`/audios/${id}`))
    expect((await create({})).status).to.equal(201)
  })

  it('have titles of 1 to 64 characters and texts of up to 3,000', async () => {
    expect((await create({ title: 'é'.repeat(64) })).status).to.equal(201)
    for (const title of ['', 'x'.repeat(65), 'a\nb']) {
      expect(fieldsOf(await create({ title }))).to.deep.equal(['title'])
    }
    expect(fieldsOf(await create({ text: 'x'.repeat(3_001) }))).to.deep.equal(['text'])
    expect(fieldsOf(await create({ text: '' }))).to.deep.equal(['text'])
    expect(fieldsOf(await create({ speed: 2.1 }))).to.deep.equal(['speed'])
  })

  it('are sorted and searched', async () => {
    for (const title of ['Beta', 'alpha', '100%']) await succeed(create({ title }))
    const titles = async (list: string): Promise<string[]> =>
      (await succeed(api.get(`/audios?${list}`))).data.map(({ title }: { title: string }) => title)
    expect(await titles('sort_field=title&sort_order=asc')).to.deep.equal(['100%', 'alpha', 'Beta'])
    expect(await titles('')).to.deep.equal(['100%', 'alpha', 'Beta'])
    expect(await titles('search=BET')).to.deep.equal(['Beta'])
    expect(await titles('search=%25')).to.deep.equal(['100%'])
  })

  it('are kept with their files while a flow plays them', async () => {
    const id = await newAudio(api)
    const nodes = [
      { id: 'start', type: 'start', next: { default: 'choose' } },
      { id: 'choose', type: 'menu', params: { text: 'Hi', invalid_audio_id: id }, next: { 1: 'bye' } },
      { id: 'bye', type: 'voicemail', params: { greeting_audio_id: id } },
    ]
    const flow = await succeed(api.post('/call-flows', { ...callFlow, nodes }))
    const refused = await api.delete(`/audios/${id}`)
    expect(refused.status).to.equal(409)
    expect(refused.body.message).to.equal('The audio Greeting is used by the call flow Main menu')
    expect((await api.get(`/audios/${id}/content`)).status).to.equal(200)
    await succeed(api.delete(`/call-flows/${flow.id}`))
    await succeed(api.delete(`/audios/${id}`))
    expect((await api.get(`/audios/${id}/content`)).status).to.equal(404)
  })

  it('are told of in the audit log', async () => {
    const id = await newAudio(api)
    await succeed(api.patch(`/audios/${id}`, { title: 'Renamed' }))
    await succeed(api.delete(`/audios/${id}`))
    const rows = await query(appliance, 'SELECT action FROM audit_log WHERE target_id = ? ORDER BY id', [id])
    expect(rows.map(({ action }) => action as string)).to.deep.equal([
      'audio.create',
      'audio.update',
      'audio.delete',
    ])
  })
})

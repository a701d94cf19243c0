import { expect } from 'chai'
import type { ApiClient } from '../support/api-client.js'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import type { OpenAiHttpServer } from '../support/openai-http.js'
import { query } from './database.js'
import { fieldsOf, startUnlimited, succeed, voiceAgent } from './fixtures.js'
import { chatProvider, draft, insertConversation } from './voice-agent-fixtures.js'

const path = '/voice-agents/instructions'
const prompt = 'Answers for a dentist and takes appointments.'

describe('instructions of voice agents', function () {
  this.timeout(60_000)
  let appliance: Appliance
  let chats: OpenAiHttpServer
  let workspace: TestWorkspace
  let api: ApiClient
  before(async () => {
    appliance = await startUnlimited()
    chats = await chatProvider(appliance)
  })
  beforeEach(async () => {
    workspace = await appliance.workspace()
    api = workspace.api
    chats.chats.length = 0
    chats.answers.length = 0
    chats.answering = () => ({ text: JSON.stringify(draft) })
  })
  afterEach(() => expect(chats.violations).to.deep.equal([]))
  after(async () => {
    await appliance?.stop()
    await chats?.stop()
  })

  const textOf = (instructions: string, more: object = {}) => ({
    text: JSON.stringify({ instructions, ...more }),
  })
  const lastChat = () => chats.chats.at(-1)!.messages.map(({ role, content }) => [role, content])

  it('are written by the text model, and changed as the conversation goes on', async () => {
    const first = await succeed(api.post(path, { prompt }))
    expect(first).to.include({ ...draft })
    expect(first.conversation).to.match(/^aic_/)
    expect(first.response_id).to.match(/^air_/)
    expect(lastChat().slice(1)).to.deep.equal([['user', prompt]])
    chats.answers.push(textOf('Shorter instructions.'))
    const { conversation } = first
    const second = await succeed(api.post(path, { prompt: 'Shorter', conversation }))
    expect(second).to.include({ instructions: 'Shorter instructions.', greeting_message: null, conversation })
    expect(lastChat().slice(1)).to.deep.equal([
      ['user', prompt],
      ['assistant', JSON.stringify(draft)],
      ['user', 'Shorter'],
    ])
    chats.answers.push(textOf('In German, from the first.'))
    const { response_id } = first
    await succeed(api.post(path, { prompt: 'In German', conversation, response_id }))
    expect(
      lastChat()
        .slice(1)
        .map(([, content]) => content),
    ).to.deep.equal([...[prompt, JSON.stringify(draft), 'In German']])
    const made = await succeed(
      api.post('/voice-agents', {
        name: 'Dentist',
        instructions: second.instructions,
        conversation,
        response_id: second.response_id,
      }),
    )
    const [row] = await query(appliance, 'SELECT conversation, response_id FROM voice_agents WHERE id = ?', [
      made.id,
    ])
    expect(row).to.deep.equal({ conversation, response_id: second.response_id })
    expect(await succeed(api.post(path, { prompt: 'Also take orders', conversation }))).to.include({
      conversation,
    })
  })

  it('are asked for once more when they break the rules, and the model is told which', async () => {
    chats.answers.push(
      { text: 'Gladly! What kind of dentist?' },
      { text: `Here: \`\`\`json\n${JSON.stringify(draft)}\n\`\`\`` },
    )
    expect(await succeed(api.post(path, { prompt }))).to.include(draft)
    expect(chats.chats).to.have.length(2)
    chats.answers.push(
      textOf('x'.repeat(3_501)),
      textOf('😀'.repeat(3_500), { greeting_message: 'x'.repeat(251) }),
    )
    const made = await succeed(api.post(path, { prompt }))
    expect(lastChat().at(-1)![1]).to.match(/had 3501 characters/)
    expect([...made.instructions]).to.have.length(3_500)
    expect(made.greeting_message).to.equal(null)
    chats.answers.push(textOf('short'), textOf('short'))
    const { status, body } = await api.post(path, { prompt })
    expect(status).to.equal(503)
    expect(body.message).to.match(/wrote no instructions/)
  })

  it('fail clearly when the model does, and nothing is kept', async () => {
    for (const failure of ['down', { status: 500 }, { status: 401 }] as const) {
      chats.fail('chat', failure)
      const { status, body } = await api.post(path, { prompt })
      expect(status, JSON.stringify(failure)).to.equal(503)
      expect(body.message).to.match(/^The text model could not be asked/)
      expect(JSON.stringify(body)).to.not.include('sk-test')
      expect(JSON.stringify(body), 'no address of the operator').to.not.match(/127\.0\.0|ECONN|localhost/)
    }
    const rows = await query(appliance, 'SELECT id FROM instruction_conversations WHERE workspace_id = ?', [
      workspace.id,
    ])
    expect(rows).to.deep.equal([])
  })

  it('are asked of servers that know no response_format, too', async () => {
    chats.fail('chat', { status: 400, message: 'response_format is not supported' })
    expect(await succeed(api.post(path, { prompt }))).to.include(draft)
    expect(chats.chats.at(-1)).to.not.have.any.keys('response_format', 'max_tokens')
  })

  it('hold their fields to their rules, and stay in their workspace', async () => {
    const { conversation, response_id } = await insertConversation(workspace)
    const other = await appliance.workspace()
    const foreign = await insertConversation(other)
    const second = await insertConversation(workspace)
    const refused: [object, string][] = [
      [{ prompt: 'Too short' }, 'prompt'],
      [{ prompt: 'x'.repeat(2_001) }, 'prompt'],
      [{ prompt, response_id }, 'conversation'],
      [{ prompt, conversation: foreign.conversation }, 'conversation'],
      [{ prompt, conversation, response_id: foreign.response_id }, 'response_id'],
      [{ prompt, conversation, response_id: second.response_id }, 'response_id'],
    ]
    for (const [body, field] of refused) {
      expect(fieldsOf(await api.post(path, body)), JSON.stringify(body)).to.deep.equal([field])
    }
    expect(chats.chats).to.deep.equal([])
    const create = async (origin: object) => api.post('/voice-agents', { ...voiceAgent, ...origin })
    for (const [origin, field] of [
      [{ conversation: 'conv-1' }, 'conversation'],
      [{ conversation: 'é' }, 'conversation'],
      [{ conversation: foreign.conversation }, 'conversation'],
      [{ response_id: foreign.response_id }, 'response_id'],
      [{ conversation, response_id: second.response_id }, 'response_id'],
    ] as const) {
      expect(fieldsOf(await create(origin)), JSON.stringify(origin)).to.deep.equal([field])
    }
    for (const origin of [{ conversation }, { response_id }, { conversation, response_id }]) {
      expect((await create(origin)).status, JSON.stringify(origin)).to.equal(201)
    }
  })

  it('are bounded: responses of a conversation, conversations of a workspace, and their age', async () => {
    const { conversation } = await insertConversation(workspace)
    await query(
      appliance,
      `INSERT INTO instruction_responses
        SELECT CONCAT('air_', LPAD(seq, 26, 'x')), ?, ?, NULL, 'x', 'x', NULL, NOW(3) FROM seq_1_to_49`,
      [workspace.id, conversation],
    )
    const full = await api.post(path, { prompt, conversation })
    expect(full.status).to.equal(403)
    expect(full.body.message).to.match(/50 responses already/)
    await query(
      appliance,
      `INSERT INTO instruction_conversations
        SELECT CONCAT('aic_', LPAD(seq, 26, 'y')), ?, NOW(3), NOW(3) - INTERVAL seq HOUR FROM seq_1_to_150`,
      [workspace.id],
    )
    const old = await insertConversation(workspace)
    await query(
      appliance,
      'UPDATE instruction_conversations SET used_at = NOW(3) - INTERVAL 31 DAY WHERE id = ?',
      [old.conversation],
    )
    expect(fieldsOf(await api.post(path, { prompt, conversation: old.conversation }))).to.deep.equal([
      'conversation',
    ])
    const { conversation: newest } = await succeed(api.post(path, { prompt }))
    const kept = await query(
      appliance,
      'SELECT id FROM instruction_conversations WHERE workspace_id = ? ORDER BY used_at DESC',
      [workspace.id],
    )
    expect(kept).to.have.length(100)
    expect(kept[0].id).to.equal(newest)
  })

  it('go with their workspace', async () => {
    const { conversation } = await succeed(api.post(path, { prompt }))
    await succeed(appliance.operator.delete(`/workspaces/${workspace.id}`))
    const rows = await query(appliance, 'SELECT id FROM instruction_responses WHERE conversation_id = ?', [
      conversation,
    ])
    expect(rows).to.deep.equal([])
  })
})

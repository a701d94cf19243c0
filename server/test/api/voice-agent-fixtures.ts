/** What tests of voice agents' instructions and evaluations begin with: a provider whose chat model is a test server. */
import { eventually } from '../support/api-client.js'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { OpenAiHttpServer } from '../support/openai-http.js'
import { cascadedProvider, newProvider } from './ai-provider-fixtures.js'
import { query } from './database.js'

/** The model of the provider that {@link chatProvider} makes. */
export const houseModel = 'house-1'

/** Starts a server of chats, and has the operator offer it. */
export async function chatProvider(appliance: Appliance): Promise<OpenAiHttpServer> {
  const server = new OpenAiHttpServer('sk-test')
  await server.start()
  const service = { base_url: server.baseUrl, model: 'a-model', api_key: 'sk-test' }
  const settings = { speech_to_text: service, chat: service, text_to_speech: service }
  await newProvider(appliance, { ...cascadedProvider, settings, models: [{ id: houseModel, name: 'House' }] })
  return server
}

/** What a text model answers when it is asked for instructions. */
export const draft = {
  instructions: 'You answer for Acme. Ask what it is about, and transfer to Sales.',
  greeting_message: 'Acme, good morning.',
}

let conversations = 0

/** A conversation of a workspace, put into the database: nobody was asked. */
export async function insertConversation({ id, appliance }: TestWorkspace) {
  conversations += 1
  const end = String(conversations).padStart(26, '0')
  const made = { conversation: `aic_${end}`, response_id: `air_${end}` }
  await query(appliance, 'INSERT INTO instruction_conversations VALUES (?, ?, NOW(3), NOW(3))', [
    ...[made.conversation, id],
  ])
  await query(
    appliance,
    "INSERT INTO instruction_responses VALUES (?, ?, ?, NULL, 'A dentist', ?, NULL, NOW(3))",
    [made.response_id, id, made.conversation, draft.instructions],
  )
  return made
}

/** A caller, and what is expected of the answers. */
export const script = {
  name: 'Opening hours',
  turns: [
    {
      say: 'When do you open?',
      expect: [
        ...[{ says: 'nine' }, { says_not: 'ten' }, { matches: 'nine|9' }, { matches_not: '^ten$' }],
        ...[{ max_words: 30 }, { replies_within: 30 }, { does_not_call_tool: '*' }],
        { calls_tool: { name: 'look_up', arguments: { day: 'monday' } } },
      ],
    },
  ],
  expect: [{ ends_call: false }, { transfers_to: 'Sales' }],
  tool_answers: { look_up: { opens: '09:00' } },
}

/** Waits until no evaluation of a workspace runs: only some may at once. */
export async function noneRunning({ id, appliance }: TestWorkspace): Promise<void> {
  await eventually(
    async () =>
      query(
        appliance,
        "SELECT id FROM voice_agent_evaluations WHERE workspace_id = ? AND status = 'running'",
        [id],
      ),
    (running) => running.length === 0,
    { withinMs: 60_000, what: 'evaluations that have ended' },
  )
}

const textModels = new Map<Appliance, Promise<void>>()

/** Has an appliance write with the model of a test server, which always answers with {@link draft}, and with no other. */
export async function textModel(appliance: Appliance): Promise<void> {
  const known = textModels.get(appliance)
  const made = known ?? chatProvider(appliance).then((server) => answerWithDrafts(server))
  textModels.set(appliance, made)
  await made
  const { body } = await appliance.operator.get('/ai-providers?limit=100')
  const others = (body.data as { id: string; is_active: boolean; models: { id: string }[] }[]).filter(
    ({ is_active, models }) => is_active && models.every(({ id }) => id !== houseModel),
  )
  for (const { id } of others) await appliance.operator.patch(`/ai-providers/${id}`, { is_active: false })
}

function answerWithDrafts(server: OpenAiHttpServer): void {
  server.answering = () => ({ text: JSON.stringify(draft) })
}

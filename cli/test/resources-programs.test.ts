/** Commands of what answers calls: flows, voice agents and the providers of these. */
import { expect } from 'chai'
import { inAcme, useAcme } from './acme.js'
import { startAiServer } from './appliance.js'
import { unwrapped } from './program.js'
import { expectSnapshot } from './snapshots.js'

describe('resources: programs', function () {
  this.timeout(60_000)
  const acme = useAcme()
  const { json, shown, operators, file } = acme

  it('flow', async () => {
    const nodes = [
      { id: 'start', type: 'start', params: {}, next: { default: 'bye' } },
      { id: 'bye', type: 'hangup', params: { cause: 'NORMAL_CLEARING' }, next: {} },
    ]
    const ivr = { id: 'wait', type: 'ivr', params: {} }
    const onlyNodes = await file('nodes.json', JSON.stringify(nodes))
    const flow = await shown('flow create', '--file', onlyNodes, '--title', 'Menu', '--trigger', 'inbound')
    const whole = await file('flow.json', JSON.stringify(await shown('flow show', flow['id'])))
    await shown('flow set', flow['id'], '--file', whole, '--title', 'Main menu')
    await shown('flow list', '--filter', 'trigger_type=inbound')
    const tried = ['--time', '2026-12-25T10:00:00Z', '--seed', '1', '--keys', '1,,2#']
    await shown('flow simulate', flow['id'], ...tried)
    const path = await acme.program.run(['flow', 'simulate', flow['id'], ...inAcme, ...tried])
    expect(path.stdout).to.equal(
      [
        'NODE   TYPE    OUTCOME  DETAILS',
        'start  start   default  -',
        'bye    hangup  -        cause=NORMAL_CLEARING',
        '',
        'The call is hung up by the flow: NORMAL_CLEARING.',
        '',
      ].join('\n'),
    )
    const longer = [
      { ...nodes[0], next: { default: 'wait' } },
      { ...ivr, next: { default: 'bye' } },
      nodes[1],
    ]
    await json('flow', 'set', flow['id'], '--file', await file('longer.json', JSON.stringify(longer)))
    await shown('flow version list', flow['id'])
    await shown('flow version show', flow['id'], '1')
    const restored = await shown('flow version restore', flow['id'], '1')
    expect(restored['nodes']).to.deep.equal(nodes)
    await shown('flow draft set', flow['id'], '--file', await file('draft.json', JSON.stringify(longer)))
    await shown('flow draft show', flow['id'])
    const published = await shown('flow publish', flow['id'])
    expect(published['nodes']).to.have.length(3)
    await json('flow', 'draft', 'set', flow['id'], '--file', onlyNodes)
    await shown('flow draft discard', flow['id'])
    await json('flow', 'set', flow['id'], '--file', onlyNodes)
    await shown('flow check', '--file', onlyNodes)
    const given = ['--contact', '{"a":1}', '--outcome', 'start=busy', '--actions', 'bye=[]']
    const refused = await acme.program.run(['flow', 'simulate', flow['id'], ...inAcme, ...given])
    expect(refused).to.include({ code: 1, stdout: '' })
    expect(refused.stderr).to.match(/outcomes\.start must be one of default \(--outcome\)/)
    expect(refused.stderr).to.match(/actions\.bye is said of no json_call_action.* \(--actions\)/)
    const dangling = await file('bad.json', JSON.stringify([{ ...nodes[0], next: { default: 'nowhere' } }]))
    const checked = await acme.program.run(['flow', 'check', ...inAcme, '--file', dangling])
    expect(checked).to.include({ code: 1, stderr: '' })
    expect(checked.stdout).to.match(/^node start: next\.default names no node: nowhere$/m)
    const wrong = await acme.program.run(['flow', 'set', flow['id'], ...inAcme, '--file', dangling])
    expect(wrong).to.include({ code: 1, stdout: '' })
    expect(wrong.stderr).to.match(/^Error: node start: next\.default.*nowhere.* \(--file\)$/m)
    const noJson = await acme.program.run([
      'flow',
      'set',
      flow['id'],
      ...inAcme,
      '--file',
      await file('x', '['),
    ])
    expect(noJson).to.include({ code: 2 })
    expect(unwrapped(noJson.stderr)).to.match(/--file \S+ is not JSON/)
    const other = await acme.program.run(['flow', 'create', ...inAcme, '--file', await file('x', '{}')])
    expect(unwrapped(other.stderr)).to.match(/--file holds no flow/)
    await shown('flow delete', flow['id'], '--yes')
  })

  it('voice-agent', async () => {
    const instructions = await file('instructions.txt', 'Answer questions about opening hours.\n')
    const agent = await shown(
      'voice-agent create',
      '--name',
      'Front desk',
      '--instructions-file',
      instructions,
    )
    const id = String(agent['id'])
    await shown('voice-agent list', '--search', 'desk')
    await shown('voice-agent version create', id)
    const settings = [
      ...['--greeting', 'Good evening.', '--max-duration', '60', '--no-noise-reduction'],
      ...['--temperature', '0.6', '--turn-detection', 'semantic_vad', '--turn-eagerness', 'low'],
      ...['--turn-threshold', '0.6', '--turn-silence', '700', '--interruption', '400'],
      ...['--no-ignore-backchannels', '--language', 'de-CH', '--no-dtmf', '--tool-delay-message', 'Sofort.'],
    ]
    await shown('voice-agent settings', id, '--version', '2', ...settings)
    await shown('voice-agent show', id, '--version', '2')
    await shown('voice-agent publish', id, '--version', '2')
    await shown('voice-agent version list', id)
    await shown('voice-agent version delete', id, '1', '--yes')
    const parameters = await file(
      'parameters.json',
      JSON.stringify({ order_number: { type: 'string', description: 'its number' } }),
    )
    const tool = await shown(
      'voice-agent tool create',
      ...[
        id,
        '--name',
        'find_order',
        '--description',
        'Finds an order',
        '--url',
        'https://shop.example/orders',
      ],
      ...['--parameters', parameters, '--required', 'order_number', '--header', 'X-Shop=acme'],
    )
    await shown('voice-agent tool list', id)
    await shown('voice-agent tool show', id, tool['id'])
    await shown('voice-agent tool set', id, tool['id'], '--no-active', '--method', 'GET')
    await shown('voice-agent tool delete', id, tool['id'], '--yes')
    const turns = [{ say: 'When do you open?', expect: [{ says: 'nine' }] }]
    const hours = await file('hours.json', JSON.stringify({ name: 'Hours', turns }))
    const script = await shown('voice-agent script create', id, '--file', hours)
    await shown('voice-agent script list', id)
    await shown('voice-agent script show', id, script['id'])
    await shown('voice-agent script set', id, script['id'], '--file', hours)
    // Nobody offers its model: the gate of a customer's pipeline stays shut.
    const evaluated = await acme.program.run([
      'voice-agent',
      'eval',
      id,
      ...inAcme,
      '--version',
      '2',
      '--script',
      hours,
    ])
    expect(evaluated).to.include({ code: 1 })
    expect(evaluated.stdout).to.match(
      /Version 2: 0 of 1 scripts passed\.\nThe scripts could not all be played: /,
    )
    await shown('voice-agent evaluation list', id)
    await shown('voice-agent script delete', id, script['id'], '--yes')
    await shown('voice-agent set', id, '--name', 'Night desk')
    await shown('voice-agent delete', id, '--yes')
  })

  it('ai-provider', async () => {
    const made = await operators(
      'ai-provider create',
      ...[
        '--name',
        'openai',
        '--key-file',
        await file('openai-key', 'sk-unseen\n'),
        '--model',
        'gpt-realtime',
      ],
      ...['--voice', 'marin=Marin', '--voice', 'cedar', '--price', '0.06'],
    )
    await operators('ai-provider show', made['id'])
    await operators('ai-provider list', '--search', 'openai')
    await operators('ai-provider set', made['id'], '--protocol', 'beta', '--transcription-model', 'none')
    const told = await acme.program.run(['ai-provider', 'list'])
    expect(told.stdout)
      .to.match(/^ID +NAME +KIND +MODELS/)
      .and.to.match(/openai +openai_realtime +gpt-realtime/)
    const settings = {
      speech_to_text: { base_url: 'http://127.0.0.1:9999/v1', model: 'whisper-1' },
      text_to_speech: { base_url: 'http://127.0.0.1:9999/v1', model: 'kokoro', voice: 'af_heart' },
    }
    const models = [{ id: 'house-1', name: 'House', languages: ['en'] }]
    const house = await acme.program.json(
      ...['ai-provider', 'create', '--name', 'house', '--kind', 'cascaded'],
      ...['--settings-file', await file('house.json', JSON.stringify(settings))],
      ...['--chat-url', 'http://127.0.0.1:9999/v1', '--chat-model', 'llama', '--chat-key', 'unseen'],
      ...['--models-file', await file('models.json', JSON.stringify(models))],
    )
    expect(house).to.deep.include({ models, secrets: ['chat.api_key'] })
    const named = await acme.program.run(['ai-provider', 'set', house['id'], '--chat-url', 'ws://x.example'])
    expect(named.stderr).to.equal('Error: settings.chat.base_url must be an http or https URL (--chat-url)\n')
    await acme.program.json('ai-provider', 'delete', house['id'], '--yes')

    await shown('voice-agent models')
    await shown('voice-agent voices')
    const key = ['--key-file', await file('own-key', 'unseen\n')]
    const untimed = { own_key_updated_at: '<time>' }
    const own = await json('voice-agent', 'provider', 'set-key', made['id'], ...key)
    expectSnapshot('voice-agent-provider-set-key', { ...own, ...untimed })
    const words = await acme.program.run([
      'voice-agent',
      'provider',
      'set-key',
      made['id'],
      ...inAcme,
      ...key,
    ])
    expect(words.stdout).to.equal('Calls use your key with openai.\n')
    await shown('voice-agent provider delete-key', made['id'], '--yes')
    await shown('voice-agent provider list')
    await acme.program.json('ai-provider', 'set', made['id'], '--no-active')
    await operators('ai-provider delete', made['id'], '--yes')
  })

  it('ai-provider test, voice-agent instructions', async () => {
    const server = await startAiServer('sk-unseen')
    try {
      const service = { base_url: server.baseUrl, model: 'a-model', api_key: 'sk-unseen' }
      const settings = {
        speech_to_text: service,
        chat: service,
        text_to_speech: { ...service, voice: 'ann' },
      }
      const provider = await acme.program.json(
        ...['ai-provider', 'create', '--name', 'chain', '--kind', 'cascaded', '--model', 'house-1=House'],
        ...['--settings-file', await file('chain.json', JSON.stringify(settings))],
      )
      const test = ['ai-provider', 'test', provider['id']]
      const well = await acme.program.run(test)
      expect(well, well.stderr).to.include({ code: 0 })
      expect(well.stdout).to.match(/^house-1 is ready for calls: it took \d+ ms\.$/m)

      const draft = { instructions: 'You answer for Acme.', greeting_message: 'Acme, good morning.' }
      server.answering = () => ({ text: JSON.stringify(draft) })
      const prompt = ['--prompt', 'Answers for Acme.']
      const first = await json('voice-agent', 'instructions', ...prompt)
      expect(first).to.include(draft)
      const next = ['--conversation', first['conversation'], '--prompt', 'Shorter.']
      expect(await json('voice-agent', 'instructions', ...next)).to.include(draft)
      expect(server.violations).to.deep.equal([])

      await server.stop()
      const down = await acme.program.run(test)
      expect(down).to.include({ code: 1 })
      expect(down.stdout).to.match(/^house-1 is not ready for calls: ./m)
      const told = await acme.program.run([...test, '--json'])
      expect(told).to.include({ code: 1 })
      expect(JSON.parse(told.stdout)).to.include({ model_id: 'house-1' })
      await acme.program.json('ai-provider', 'delete', provider['id'], '--yes')
    } finally {
      await server.stop().catch(() => undefined)
    }
  })
})

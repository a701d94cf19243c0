/** Voice agents and streams on the sandbox, with which integrators try theirs: they hear silence, and calls go on as ever. */
import { expect } from 'chai'
import { eventually } from '../support/api-client.js'
import { StreamServer } from '../support/stream-server.js'
import { VoiceAgentBench, greeting, lines } from '../support/voice-agent-bench.js'

/** Answers, and stays. */
const called = '+12025550100'

describe('voice agents and streams on the sandbox', function () {
  this.timeout(60_000)
  let bench: VoiceAgentBench
  let server: StreamServer

  before(async () => {
    server = await StreamServer.start()
    bench = await VoiceAgentBench.start({}, 'sandbox')
  })
  after(async () => {
    await bench?.stop()
    await server?.stop()
  })

  const calls = () => bench.inbound.bench
  const sentence = { action: 'tts', params: { text: 'Goodbye.' } }
  const stream = (params: object) => ({ action: 'stream', params: { ws_url: server.url, ...params } })
  const outcomes = async (id: string) => {
    await calls().ended(id, 30_000)
    return (await bench.inbound.timeline(id))
      .filter(({ event }) => event === 'call.action')
      .map(({ details }) => `${String(details?.['action'])}:${String(details?.['outcome'])}`)
  }

  it('connect with a voice agent, which greets, hears silence, and leaves in time', async () => {
    const { provider } = bench
    provider.answerMs = 300
    const params = { voice_agent_id: bench.voiceAgentId, max_duration_seconds: 4 }
    const id = await calls().call(called, [{ action: 'connect_voice_agent', params }, sentence])
    expect(await outcomes(id)).to.deep.equal(['connect_voice_agent:completed', 'tts:completed'])
    const session = await bench.endedSession(id, 5_000)
    expect(session).to.include({ end_reason: 'max_duration', voice_agent_id: bench.voiceAgentId })
    expect(session.usage?.['output_audio_tokens']).to.be.greaterThan(0)
    expect(lines(await bench.transcript(id))[0]).to.equal(`voice_agent: ${greeting}`)
    const { heard } = provider.session
    expect(heard.length, 'samples').to.be.greaterThan(24_000)
    expect(heard.every((sample) => sample === 0)).to.equal(true)
    const { legs } = await calls().record(id)
    expect(legs.map(({ role }) => role)).to.deep.equal(['called', 'destination'])
    expect(provider.violations).to.deep.equal([])
  })

  it('call a tool of a voice agent, which ends the call', async () => {
    const { body } = await bench.api.get(`/voice-agents/${bench.voiceAgentId}/tools`)
    await bench.set({ functions: body.data.map(({ id }: { id: string }) => id) })
    const params = { voice_agent_id: bench.voiceAgentId }
    // Asked whether the caller is there, it ends the call.
    bench.provider.answer = () => ({ text: 'Goodbye.', calls: [{ name: 'end_call', arguments: {} }] })
    const id = await calls().call(called, [{ action: 'connect_voice_agent', params }])
    expect((await bench.endedSession(id, 30_000)).end_reason).to.equal('ended')
    expect((await calls().ended(id)).status).to.equal('completed')
  })

  it('send the silence of a call in the background', async () => {
    const had = server.streams.length
    const id = await calls().call(called, [stream({ sample_rate: 16_000 }), sentence])
    const heard = await server.stream(had)
    await eventually(
      async () => Promise.resolve(heard.lengths.length),
      (frames) => frames > 20,
      { what: 'frames' },
    )
    expect(new Set(heard.lengths)).to.deep.equal(new Set([640]))
    expect(heard.pcm().every((sample) => sample === 0)).to.equal(true)
    heard.socket.close()
    expect(await outcomes(id)).to.deep.equal(['stream:completed', 'tts:completed'])
  })

  it('talk with a server, until that leaves', async () => {
    const had = server.streams.length
    const id = await calls().call(called, [stream({ bidirectional: true }), sentence])
    const heard = await server.stream(had)
    heard.say(440, 2, 8_000)
    heard.tell({ type: 'killAudio' })
    await eventually(
      async () => Promise.resolve(heard.lengths.length),
      (frames) => frames > 20,
      { what: 'frames' },
    )
    expect(new Set(heard.lengths)).to.deep.equal(new Set([320]))
    heard.socket.close()
    expect(await outcomes(id)).to.deep.equal(['stream:completed', 'tts:completed'])
  })
})

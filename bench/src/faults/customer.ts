/** A workspace on the appliance: a number that is called and calls, a carrier of texts, credit. */
import { multipart, wavFile } from '../../../server/dist/test/support/audio-files.js'
import { Api } from './api.js'
import type { Plant } from './plant.js'
import { talkSeconds } from './served.js'

export interface Customer {
  id: string
  api: Api
  operator: Api
  /** Its number, which is called and calls. */
  number: string
  audioId: string
}

const number = '+12025550199'

/** @param sip port of the carrier of calls @param smpp port of the carrier of texts */
export async function makeCustomer(
  plant: Plant,
  { sip, smpp }: { sip: number; smpp: number },
): Promise<Customer> {
  const id = 'faults'
  const operator = new Api(plant.ports.HTTP_PORT, 'admin.localhost', `Operator ${plant.operatorToken}`)
  await operator.make('POST', '/workspaces', { id, title: 'Faults', country_code: 'US' })
  // The default limit of a new workspace would refuse calls after a few rows.
  await operator.make('PATCH', `/workspaces/${id}`, { max_spend_per_day: null })
  await operator.make('POST', `/workspaces/${id}/credit`, { amount: 100_000 })
  const owner = operator.as(`${id}.localhost`)
  const key = await owner.make('POST', '/api-keys', { scope: 'full', role: 'owner' })
  const api = operator.as(`${id}.localhost`, `ApiKey ${String(key['api_key'])}`)
  const tone = { name: 'tone.wav', content: wavFile(1000, talkSeconds, { rate: 8000 }) }
  const upload = multipart({ title: 'Tone' }, tone)
  const audio = await api.make('POST', '/audios', upload.content, upload.type)
  const audioId = String(audio['id'])
  const flow = await api.make('POST', '/call-flows', {
    title: 'Tone',
    trigger_type: 'inbound',
    nodes: [
      { id: 'start', type: 'start', next: { default: 'tone' } },
      { id: 'tone', type: 'play', params: { audio_id: audioId }, next: { default: 'bye' } },
      { id: 'bye', type: 'hangup' },
    ],
  })
  const acl = await api.make('POST', '/sip-trunks/acls', {
    ...{ title: 'Carrier', mode: 'ip', allowed_ips: ['127.0.0.1'] },
  })
  const gateway = await api.make('POST', '/sip-trunks/gateways', {
    title: 'Carrier',
    outbound_caller_id: number.slice(1),
    outbound_uris: [{ uri: '127.0.0.1', port: sip, protocol: 'udp', priority: 1 }],
  })
  const connected = await api.make('POST', '/phone-numbers/connect', {
    ...{ title: 'Main', number: number.slice(2), country_code: 'US', enable_outbound: true },
    ...{ inbound_acl_id: acl['id'], outbound_gateway_id: gateway['id'] },
  })
  const path = `/workspaces/${id}/phone-numbers/${String(connected['id'])}`
  await operator.make('PATCH', path, { status: 'active', fee_per_mins_call: 0.6, fee_per_segment: 0.01 })
  const settings = { host: '127.0.0.1', port: smpp, system_id: 'jackfield', password: 'secret' }
  const carrier = await operator.make('POST', '/carriers', {
    ...{ title: 'SMSC', kind: 'smpp', settings, window_size: 10, throughput: 100 },
  })
  await operator.make('PUT', `${path}/carriers`, { carrier_ids: [carrier['id']] })
  await api.make('PATCH', `/phone-numbers/${String(connected['id'])}`, { call_flow_id: flow['id'] })
  return { id, api, operator, number, audioId }
}

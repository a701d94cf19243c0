/** The variables that FreeSWITCH knows of a call that has come in, before anything is done with it. */
import { randomUUID } from 'node:crypto'
import type { CallIn } from './simulated-caller.js'

const HOST = 'carrier.sandbox'

export function arrivalVariables({ number, name, dialled }: CallIn): Record<string, string> {
  return {
    sip_call_id: randomUUID(),
    sip_from_user: number,
    sip_from_host: HOST,
    sip_from_uri: `${number}@${HOST}`,
    sip_from_display: name,
    sip_req_user: dialled,
    sip_req_host: HOST,
    sip_req_uri: `${dialled}@${HOST}`,
    sip_to_user: dialled,
    sip_to_host: HOST,
    sip_to_uri: `${dialled}@${HOST}`,
    ep_codec_string: 'CORE_PCM_MODULE.PCMU@8000h@20i@64000b',
    endpoint_disposition: 'RECEIVED',
  }
}

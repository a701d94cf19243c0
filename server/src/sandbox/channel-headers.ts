/** The headers that every event of a channel carries, named and ordered as FreeSWITCH 1.10 does. */
import type { Headers } from './event-bus.js'
import type { CallIn } from './simulated-caller.js'
import type { SimulatedChannel } from './simulated-channel.js'

const STATE_NUMBERS: Readonly<Record<string, number>> = {
  CS_NEW: 0,
  CS_INIT: 1,
  CS_ROUTING: 2,
  CS_SOFT_EXECUTE: 3,
  CS_EXECUTE: 4,
  CS_EXCHANGE_MEDIA: 5,
  CS_PARK: 6,
  CS_CONSUME_MEDIA: 7,
  CS_HIBERNATE: 8,
  CS_RESET: 9,
  CS_HANGUP: 10,
  CS_REPORTING: 11,
}

export function channelHeaders(channel: SimulatedChannel): Headers {
  const answered = channel.times.answered > 0
  return {
    ...(channel.ended ? { 'Hangup-Cause': channel.cause } : {}),
    'Channel-State': channel.state,
    'Channel-Call-State': channel.callState,
    // Once hung up the number already is that of the state to come.
    'Channel-State-Number': String(
      channel.ended && channel.state !== 'CS_REPORTING' ? 10 : (STATE_NUMBERS[channel.state] ?? 0),
    ),
    'Channel-Name': channel.name,
    'Unique-ID': channel.uuid,
    'Call-Direction': channel.direction,
    'Presence-Call-Direction': channel.direction,
    'Channel-HIT-Dialplan': String(channel.begun),
    'Channel-Call-UUID': channel.variables.get('call_uuid') ?? channel.uuid,
    'Answer-State': channel.answerState,
    ...(answered || channel.caller ? codec() : {}),
    'Caller-Direction': channel.direction,
    'Caller-Logical-Direction': channel.times.bridged > 0 ? 'inbound' : channel.direction,
    ...caller(channel, 'Caller'),
    ...(channel.peer ? otherLeg(channel, channel.peer) : {}),
  }
}

function codec(): Headers {
  return {
    'Channel-Read-Codec-Name': 'PCMU',
    'Channel-Read-Codec-Rate': '8000',
    'Channel-Read-Codec-Bit-Rate': '64000',
    'Channel-Write-Codec-Name': 'PCMU',
    'Channel-Write-Codec-Rate': '8000',
    'Channel-Write-Codec-Bit-Rate': '64000',
  }
}

function otherLeg(channel: SimulatedChannel, peer: SimulatedChannel): Headers {
  return {
    'Other-Type': channel.bridgeRole === 'originator' ? 'originatee' : 'originator',
    'Other-Leg-Direction': peer.direction,
    'Other-Leg-Logical-Direction': 'inbound',
    ...caller(peer, 'Other-Leg'),
  }
}

/** The caller profile. Caller and callee change places when an outbound leg is answered, as in FreeSWITCH. */
function caller(channel: SimulatedChannel, prefix: 'Caller' | 'Other-Leg'): Headers {
  const { times, variables } = channel
  const headers: Headers = {
    ...(channel.caller ? callerIn(channel, channel.caller.order) : calledOut(channel)),
    'Network-Addr': variables.get('sip_network_ip') ?? '127.0.0.1',
    'Unique-ID': channel.uuid,
    'Channel-Name': channel.name,
    'Profile-Created-Time': String(times.created),
    'Channel-Created-Time': String(times.created),
    'Channel-Answered-Time': String(times.answered),
    'Channel-Progress-Time': String(times.progress),
    'Channel-Progress-Media-Time': String(times.progressMedia),
    'Channel-Hangup-Time': String(times.hangup),
    'Channel-Transfer-Time': '0',
    'Channel-Resurrect-Time': '0',
    'Channel-Bridged-Time': String(times.bridged),
    'Channel-Last-Hold': '0',
    'Channel-Hold-Accum': '0',
    'Screen-Bit': 'true',
    'Privacy-Hide-Name': 'false',
    'Privacy-Hide-Number': 'false',
  }
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [`${prefix}-${name}`, value]))
}

/** Of a leg that we dialled: once answered, who was called is the caller. */
function calledOut({ begun, variables, target }: SimulatedChannel): Headers {
  const own = variables.get('origination_caller_id_number') ?? '0000000000'
  return {
    ...(begun
      ? { 'Caller-ID-Name': 'Outbound Call', 'Caller-ID-Number': target.user }
      : { 'Caller-ID-Number': own, 'Callee-ID-Name': 'Outbound Call' }),
    'Callee-ID-Number': begun ? own : target.user,
    ANI: own,
    'Destination-Number': encodeURIComponent(target.user),
    Source: 'src/switch_ivr_originate.c',
    Context: 'default',
  }
}

function callerIn({ target }: SimulatedChannel, { number, name }: CallIn): Headers {
  return {
    Username: number,
    Dialplan: 'XML',
    'Caller-ID-Name': name,
    'Caller-ID-Number': number,
    'Orig-Caller-ID-Name': name,
    'Orig-Caller-ID-Number': number,
    ANI: number,
    'Destination-Number': target.user,
    Source: 'mod_sofia',
    Context: 'edge',
  }
}

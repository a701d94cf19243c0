/** Hang-up causes: their Q.850 numbers, and what mod_sofia makes of a SIP status. */

const Q850: Readonly<Record<string, number>> = {
  NONE: 0,
  UNALLOCATED_NUMBER: 1,
  NO_ROUTE_TRANSIT_NET: 2,
  NO_ROUTE_DESTINATION: 3,
  CHANNEL_UNACCEPTABLE: 6,
  CALL_AWARDED_DELIVERED: 7,
  NORMAL_CLEARING: 16,
  USER_BUSY: 17,
  NO_USER_RESPONSE: 18,
  NO_ANSWER: 19,
  SUBSCRIBER_ABSENT: 20,
  CALL_REJECTED: 21,
  NUMBER_CHANGED: 22,
  REDIRECTION_TO_NEW_DESTINATION: 23,
  EXCHANGE_ROUTING_ERROR: 25,
  DESTINATION_OUT_OF_ORDER: 27,
  INVALID_NUMBER_FORMAT: 28,
  FACILITY_REJECTED: 29,
  RESPONSE_TO_STATUS_ENQUIRY: 30,
  NORMAL_UNSPECIFIED: 31,
  NORMAL_CIRCUIT_CONGESTION: 34,
  NETWORK_OUT_OF_ORDER: 38,
  NORMAL_TEMPORARY_FAILURE: 41,
  SWITCH_CONGESTION: 42,
  ACCESS_INFO_DISCARDED: 43,
  REQUESTED_CHAN_UNAVAIL: 44,
  PRE_EMPTED: 45,
  FACILITY_NOT_SUBSCRIBED: 50,
  OUTGOING_CALL_BARRED: 52,
  INCOMING_CALL_BARRED: 54,
  BEARERCAPABILITY_NOTAUTH: 57,
  BEARERCAPABILITY_NOTAVAIL: 58,
  SERVICE_UNAVAILABLE: 63,
  BEARERCAPABILITY_NOTIMPL: 65,
  CHAN_NOT_IMPLEMENTED: 66,
  FACILITY_NOT_IMPLEMENTED: 69,
  SERVICE_NOT_IMPLEMENTED: 79,
  INVALID_CALL_REFERENCE: 81,
  INCOMPATIBLE_DESTINATION: 88,
  INVALID_MSG_UNSPECIFIED: 95,
  MANDATORY_IE_MISSING: 96,
  MESSAGE_TYPE_NONEXIST: 97,
  WRONG_MESSAGE: 98,
  IE_NONEXIST: 99,
  INVALID_IE_CONTENTS: 100,
  WRONG_CALL_STATE: 101,
  RECOVERY_ON_TIMER_EXPIRE: 102,
  MANDATORY_IE_LENGTH_ERROR: 103,
  PROTOCOL_ERROR: 111,
  INTERWORKING: 127,
}

/** FreeSWITCH's own causes: their Q.850 number is that of a normal end. */
const OWN_CAUSES = new Set([
  'ORIGINATOR_CANCEL',
  'CRASH',
  'SYSTEM_SHUTDOWN',
  'LOSE_RACE',
  'MANAGER_REQUEST',
  'BLIND_TRANSFER',
  'ATTENDED_TRANSFER',
  'ALLOTTED_TIMEOUT',
  'USER_CHALLENGE',
  'MEDIA_TIMEOUT',
  'PICKED_OFF',
  'USER_NOT_REGISTERED',
  'PROGRESS_TIMEOUT',
  'INVALID_GATEWAY',
  'GATEWAY_DOWN',
  'INVALID_URL',
  'INVALID_PROFILE',
  'NO_PICKUP',
  'BUSY_EVERYWHERE',
  'DECLINE',
  'DOES_NOT_EXIST_ANYWHERE',
  'NOT_ACCEPTABLE',
  'UNWANTED',
])

/** What FreeSWITCH makes of a cause in a command: the name, a Q.850 number, or the normal end. */
export function causeNamed(text: string): string {
  const name = text.trim().toUpperCase()
  if (name in Q850 || OWN_CAUSES.has(name)) return name
  const number = /^\d+$/.test(name) ? Number(name) : -1
  return Object.keys(Q850).find((known) => Q850[known] === number) ?? 'NORMAL_CLEARING'
}

export function q850Number(cause: string): number {
  return Q850[cause] ?? 16
}

/** mod_sofia's table (sofia_glue_sip_cause_to_freeswitch). */
const CAUSE_OF_STATUS = new Map<number, string>(
  (
    [
      ['NORMAL_CLEARING', [200]],
      ['CALL_REJECTED', [401, 402, 403, 407, 603, 608]],
      ['UNWANTED', [607]],
      ['UNALLOCATED_NUMBER', [404]],
      ['NO_ROUTE_DESTINATION', [485, 604]],
      ['RECOVERY_ON_TIMER_EXPIRE', [408, 504]],
      ['NUMBER_CHANGED', [410]],
      ['INTERWORKING', [413, 414, 416, 420, 421, 423, 505, 513]],
      ['NO_USER_RESPONSE', [480]],
      ['NORMAL_TEMPORARY_FAILURE', [400, 481, 500, 503]],
      ['USER_BUSY', [486, 600]],
      ['INVALID_NUMBER_FORMAT', [484]],
      ['INCOMPATIBLE_DESTINATION', [488, 606]],
      ['NETWORK_OUT_OF_ORDER', [502]],
      ['SERVICE_UNAVAILABLE', [405]],
      ['SERVICE_NOT_IMPLEMENTED', [406, 415, 501]],
      ['EXCHANGE_ROUTING_ERROR', [482, 483]],
      ['ORIGINATOR_CANCEL', [487]],
    ] as const
  ).flatMap(([cause, statuses]) => statuses.map((status): [number, string] => [status, cause])),
)

export function causeOfStatus(status: number): string {
  return CAUSE_OF_STATUS.get(status) ?? 'NORMAL_UNSPECIFIED'
}

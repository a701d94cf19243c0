/** Start and end of a flow. */
import { IconFlag, IconPhoneOff } from '@tabler/icons-react'
import { type StepKind } from '../step-kind'

const hangupCauses = [
  ...['NORMAL_CLEARING', 'USER_BUSY', 'NO_USER_RESPONSE', 'NO_ANSWER', 'SUBSCRIBER_ABSENT', 'CALL_REJECTED'],
  ...['NUMBER_CHANGED', 'DESTINATION_OUT_OF_ORDER', 'INVALID_NUMBER_FORMAT', 'UNALLOCATED_NUMBER'],
  ...['NO_ROUTE_DESTINATION', 'NORMAL_UNSPECIFIED', 'NORMAL_CIRCUIT_CONGESTION', 'NETWORK_OUT_OF_ORDER'],
  ...['NORMAL_TEMPORARY_FAILURE', 'SWITCH_CONGESTION', 'OUTGOING_CALL_BARRED', 'INCOMING_CALL_BARRED'],
  ...['BEARERCAPABILITY_NOTAVAIL', 'SERVICE_UNAVAILABLE', 'RECOVERY_ON_TIMER_EXPIRE', 'INTERWORKING'],
] as const

const cause = {
  kind: 'choice',
  name: 'cause',
  values: hangupCauses,
  byDefault: 'NORMAL_CLEARING',
} as const

export const ends: readonly StepKind[] = [
  { type: 'start', icon: IconFlag, group: null, fields: [], outcomes: [] },
  { type: 'hangup', icon: IconPhoneOff, group: 'end', fields: [cause], outcomes: null },
  { type: 'disconnect', icon: IconPhoneOff, group: 'end', fields: [cause], outcomes: null },
]

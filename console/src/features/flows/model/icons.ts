/** The icons of types of steps; one without an icon of its own has that of its group. */
import {
  type Icon,
  IconAddressBook,
  IconArrowsSplit2,
  IconBroadcast,
  IconClockHour4,
  IconDeviceMobile,
  IconDialpad,
  IconEar,
  IconFlag,
  IconHash,
  IconMessage,
  IconMicrophone,
  IconPhoneCall,
  IconPhoneOff,
  IconPhoneOutgoing,
  IconPlayerPlay,
  IconPlayerRecord,
  IconQuestionMark,
  IconRobot,
  IconServer,
  IconSpeakerphone,
  IconUser,
  IconUsers,
  IconVariable,
} from '@tabler/icons-react'
import type { NodeType, StepGroup } from './step-kind'

const byType: Readonly<Record<string, Icon>> = {
  business_hours: IconClockHour4,
  condition: IconQuestionMark,
  connect_agent: IconUser,
  connect_client: IconDeviceMobile,
  connect_team: IconUsers,
  connect_voice_agent: IconRobot,
  contact_lookup: IconAddressBook,
  ivr: IconHash,
  machine_detection: IconEar,
  play: IconPlayerPlay,
  recording: IconPlayerRecord,
  send_message: IconMessage,
  set_variable: IconVariable,
  stream: IconBroadcast,
  to_operator: IconPhoneOutgoing,
  voicemail: IconMicrophone,
}

const byGroup: Readonly<Record<StepGroup, Icon>> = {
  ask: IconDialpad,
  connect: IconPhoneCall,
  decide: IconArrowsSplit2,
  end: IconPhoneOff,
  say: IconSpeakerphone,
  services: IconServer,
}

export function iconOf({ type, group }: NodeType): Icon {
  return byType[type] ?? (group === null ? IconFlag : (byGroup[group] ?? IconFlag))
}

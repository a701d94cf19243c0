/**
 * What the switch keeps of a talk that is not simply joined, with the channel of the call's line: a later process finds
 * it there.
 */
import type { ChannelSnapshot } from '../switch/switchboard.js'
import type { TransferTarget } from './transfer-target.js'

/** Who has put a talk on hold: one of both, or a transfer. */
export type Holder = 'line' | 'operator' | 'transfer'

/** A transfer that is under way. */
export interface TransferMark {
  target: TransferTarget
  /** Whether the agent speaks with the target first. */
  consult: boolean
  /** The username of the agent who wanted it. */
  by: string
  /** The target's channel, once it has answered; '' before. */
  channelId: string
}

export interface TalkMark {
  /** The channel of whom the line is connected with. */
  operatorId: string
  holders: readonly Holder[]
  transfer: TransferMark | null
}

/** The variables, of which each is one plain word. */
export function talkVariables(mark: TalkMark | null): Record<string, string> {
  const transfer = mark?.transfer
  return {
    jackfield_operator: mark?.operatorId ?? '',
    jackfield_holders: mark?.holders.join('.') ?? '',
    jackfield_transfer: transfer
      ? [transfer.consult ? 'consult' : 'blind', transfer.by, transfer.target.kind, transfer.target.id].join(
          ':',
        )
      : '',
    jackfield_target: transfer?.channelId ?? '',
  }
}

/** What a line's channel tells of its talk; null when it was never anything but joined. */
export function talkMarkOf({ variable }: Pick<ChannelSnapshot, 'variable'>): TalkMark | null {
  const operatorId = variable('jackfield_operator')
  if (!operatorId) return null
  const held = (variable('jackfield_holders') ?? '').split('.')
  const [mode, by, kind, id] = (variable('jackfield_transfer') ?? '').split(':')
  const known = kind === 'agent' || kind === 'team' || kind === 'sip_account'
  return {
    operatorId,
    holders: (['line', 'operator', 'transfer'] as const).filter((holder) => held.includes(holder)),
    transfer:
      known && id && by
        ? {
            ...{ target: { kind, id }, consult: mode === 'consult', by },
            channelId: variable('jackfield_target') ?? '',
          }
        : null,
  }
}

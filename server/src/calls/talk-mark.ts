/**
 * What the switch keeps of a talk that is not simply joined, with the channel that bears the call: a later process finds
 * it there.
 */
import type { ChannelSnapshot } from '../switch/switchboard.js'
import { type TransferTarget, targetKinds } from './transfer-target.js'

/** One of both ends of a talk. */
export type Side = 'line' | 'operator'

/** Who has put a talk on hold: one of both, or a transfer. */
export type Holder = Side | 'transfer'

/** A transfer that is under way. */
export interface TransferMark {
  target: TransferTarget
  /** Whether the agent speaks with the target first. */
  consult: boolean
  /** The username of the agent who wanted it, or the id of a voice agent. */
  by: string
  /** Whose place the target is to take; the other one waits, and bears the call meanwhile. */
  side: Side
  /** What the target is told: text of one line, of 255 characters at most. */
  reason: string | null
  /** The target's channel, once it has answered; '' before. */
  channelId: string
}

export interface TalkMark {
  /** The channel of the other one than who bears the call. */
  otherId: string
  holders: readonly Holder[]
  transfer: TransferMark | null
}

/** The variables, of which each is one plain word. */
export function talkVariables(mark: TalkMark | null): Record<string, string> {
  const transfer = mark?.transfer
  return {
    jackfield_other: mark?.otherId ?? '',
    jackfield_holders: mark?.holders.join('.') ?? '',
    jackfield_transfer: transfer
      ? [transfer.consult ? 'consult' : 'blind', transfer.by, ...wayOf(transfer)].join(':')
      : '',
    jackfield_target: transfer?.channelId ?? '',
    // Any text, as one plain word.
    jackfield_reason: Buffer.from(transfer?.reason ?? '').toString('base64url'),
  }
}

function wayOf({ target, side }: TransferMark): string[] {
  return [target.kind, target.id, side]
}

/** What the channel that bears a call tells of its talk; null when it was never anything but joined. */
export function talkMarkOf({ variable }: Pick<ChannelSnapshot, 'variable'>): TalkMark | null {
  const otherId = variable('jackfield_other')
  if (!otherId) return null
  const held = (variable('jackfield_holders') ?? '').split('.')
  const [mode, by, named, id, side] = (variable('jackfield_transfer') ?? '').split(':')
  const kind = targetKinds.find((one) => one === named)
  return {
    otherId,
    holders: (['line', 'operator', 'transfer'] as const).filter((holder) => held.includes(holder)),
    transfer:
      kind && id && by
        ? {
            ...{ target: { kind, id }, consult: mode === 'consult', by },
            side: side === 'line' ? 'line' : 'operator',
            channelId: variable('jackfield_target') ?? '',
            reason: Buffer.from(variable('jackfield_reason') ?? '', 'base64url').toString() || null,
          }
        : null,
  }
}

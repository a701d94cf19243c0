/** The state of a bridge that is more than simply joined, as recovery variables on the primary leg's channel. */
import type { Side } from './side.js'
import type { ChannelSnapshot } from '../../../adapters/freeswitch/switchboard.js'
import { type TransferTarget, targetKinds } from './transfer-target.js'

/** Who has put the bridge on hold: a side, or a transfer. */
export type Holder = Side | 'transfer'

/** A transfer in progress. */
export interface TransferState {
  target: TransferTarget
  /** True if the agent consults the target first. */
  consult: boolean
  /** Username of the agent who started it, or id of a voice agent. */
  by: string
  /** The side that the target replaces; the other side waits, and is the primary leg meanwhile. */
  side: Side
  /** Shown to the target: one line, at most 255 characters. */
  reason: string | null
  /** The target's channel, once it has answered; '' before. */
  channelId: string
  /** True while all three talk. */
  isThreeWay?: boolean
}

export interface BridgeState {
  /** The channel of the leg that is not the primary one. */
  otherId: string
  holders: readonly Holder[]
  transfer: TransferState | null
}

/** The channel variables; each is one plain word. */
export function bridgeVariables(mark: BridgeState | null): Record<string, string> {
  const transfer = mark?.transfer
  return {
    jackfield_other: mark?.otherId ?? '',
    jackfield_holders: mark?.holders.join('.') ?? '',
    jackfield_transfer: transfer ? [modeOf(transfer), transfer.by, ...wayOf(transfer)].join(':') : '',
    jackfield_target: transfer?.channelId ?? '',
    // Free text, encoded as one plain word.
    jackfield_reason: Buffer.from(transfer?.reason ?? '').toString('base64url'),
  }
}

function modeOf({ consult, isThreeWay }: TransferState): string {
  if (!consult) return 'blind'
  return isThreeWay ? 'three_way' : 'consult'
}

function wayOf({ target, side }: TransferState): string[] {
  return [target.kind, target.id, side, target.from ?? '']
}

/** Reads the state of a bridge from the primary leg's channel; null if it was only ever joined. */
export function bridgeStateOf({ variable }: Pick<ChannelSnapshot, 'variable'>): BridgeState | null {
  const otherId = variable('jackfield_other')
  if (!otherId) return null
  const held = (variable('jackfield_holders') ?? '').split('.')
  const [mode, by, named, id, side, from] = (variable('jackfield_transfer') ?? '').split(':')
  const kind = targetKinds.find((one) => one === named)
  return {
    otherId,
    holders: (['line', 'destination', 'transfer'] as const).filter((holder) => held.includes(holder)),
    transfer:
      kind && id && by
        ? {
            ...{ target: { kind, id, ...(from && { from }) }, consult: mode !== 'blind', by },
            ...(mode === 'three_way' && { isThreeWay: true }),
            side: side === 'line' ? 'line' : 'destination',
            channelId: variable('jackfield_target') ?? '',
            reason: Buffer.from(variable('jackfield_reason') ?? '', 'base64url').toString() || null,
          }
        : null,
  }
}

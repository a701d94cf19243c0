/** Addresses of SMPP: their type of number and numbering plan (SMPP 3.4, 5.2.5 and 5.2.6). */
import type { NumberType, OutboundNumber } from '../../numbers.js'
import { cString } from './body.js'
import type { SmppSettings } from './settings.js'

/** By TON. 7 and above are reserved. */
const TYPES: readonly NumberType[] = [
  ...(['unknown', 'international', 'national', 'network', 'subscriber'] as const),
  ...(['alphanumeric', 'abbreviated'] as const),
]

export interface PartyAddress {
  /** As received, without a plus sign. */
  readonly digits: string
  readonly type: NumberType
}

/** A plus sign says more than the type. */
export function partyOf(ton: number, address: string): PartyAddress {
  const text = address.trim()
  if (/^\+\d/.test(text)) return { digits: text.slice(1), type: 'e164' }
  return { digits: text, type: TYPES[ton] ?? 'unknown' }
}

type ShortCodes = Pick<SmppSettings, 'short_code_ton' | 'short_code_npi'>

/** Type, plan and address. @param fixed the carrier's own type and plan of numbers; null: as each is */
export function address(
  { text, type, needsType }: OutboundNumber,
  { short_code_ton, short_code_npi }: ShortCodes,
  fixed: readonly [ton: number | null, npi: number | null],
): Buffer {
  const [ton, npi] = ownType(type, short_code_ton, short_code_npi) ?? [
    (needsType ? null : fixed[0]) ?? TYPES.indexOf(type),
    (needsType ? null : fixed[1]) ?? ISDN,
  ]
  return Buffer.concat([Buffer.from([ton, npi]), cString(text)])
}

const ISDN = 1

/** Originators that are not telephone numbers have TON and NPI of their own. */
function ownType(type: NumberType, ton: number, npi: number): [ton: number, npi: number] | undefined {
  if (type === 'alphanumeric') return [TYPES.indexOf(type), 0]
  return type === 'abbreviated' ? [ton, npi] : undefined
}

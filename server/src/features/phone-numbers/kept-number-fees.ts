/** What numbers cost is the operator's to say: a workspace that gives one up and connects it again changes nothing of it. */
import type { EntityManager } from 'typeorm'
import { KeptNumberFees } from './kept-number-fees.entity.js'
import type { PhoneNumber } from './phone-number.entity.js'

const fees = ['fee_per_month', 'fee_per_mins_call', 'fee_per_segment', 'fee_per_mms'] as const

/** USD, as a number is priced. */
export type NumberFees = Pick<PhoneNumber, (typeof fees)[number]>

/** Keeps the fees of a number that is deleted, unless it is as dear as any new one, in the transaction that deletes it. */
export async function keepFees(tx: EntityManager, number: PhoneNumber, ofNew: NumberFees): Promise<void> {
  if (fees.every((fee) => number[fee] === ofNew[fee])) return
  const {
    workspace_id,
    number: digits,
    fee_per_month,
    fee_per_mins_call,
    fee_per_segment,
    fee_per_mms,
  } = number
  await tx.upsert(
    KeptNumberFees,
    { workspace_id, number: digits, fee_per_month, fee_per_mins_call, fee_per_segment, fee_per_mms },
    ['workspace_id', 'number'],
  )
}

/** The previous fees of a number, which become its own now; none if they equal those of a new number. */
export async function takeKeptFees(
  tx: EntityManager,
  { workspace_id, number }: Pick<PhoneNumber, 'workspace_id' | 'number'>,
): Promise<Partial<NumberFees>> {
  const kept = await tx.findOneBy(KeptNumberFees, { workspace_id, number })
  if (!kept) return {}
  await tx.delete(KeptNumberFees, { workspace_id, number })
  const { fee_per_month, fee_per_mins_call, fee_per_segment, fee_per_mms } = kept
  return { fee_per_month, fee_per_mins_call, fee_per_segment, fee_per_mms }
}
